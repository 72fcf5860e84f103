"""A reader and a node parser for LlamaIndex, with the types of llama-index-core.

documents = DehuskReader().load_data("crawl/")                      # a Document for each page
nodes = DehuskNodeParser(chunk_size=1500).get_nodes_from_documents(html_documents)   # chunks of HTML documents
"""

import os
from collections.abc import Iterator, Sequence
from typing import Any

from dehusk.base.errors import Skipped
from dehusk.base.extras import needs_extra
from dehusk.integrations._documents import (
    Documents,
    Pages,
    Piece,
    Place,
    html_page,
    pages_at,
    restored_template,
    restored_writing,
    saved,
)
from dehusk.jobs.arriving import Given
from dehusk.render.writing import AS_LEARNED, Writing
from dehusk.templates.chunks import SIZE

with needs_extra("llamaindex"):
    from llama_index.core.bridge.pydantic import (
        Field,
        PrivateAttr,
        field_serializer,
        field_validator,
    )
    from llama_index.core.node_parser.interface import NodeParser
    from llama_index.core.readers.base import BaseReader
    from llama_index.core.schema import BaseNode, Document, MetadataMode, NodeRelationship, TextNode

NOT_EMBEDDED = ("source", "site", "url", "position", "role", "kind", "quality", "language")
"""Metadata that is not put before the text for embeddings and language models: it says nothing about the content."""


class DehuskReader(BaseReader):
    """Reads the pages of folders, files and archives: all that `dehusk clean` reads, but not the web. Or pages."""

    def __init__(
        self,
        *,
        format: str = "text",  # noqa: A002  # as the command line has it
        template: Given | None = None,
        store: Place | None = None,
        by: str = "host",
        writing: Writing = AS_LEARNED,
        **learning: Any,
    ) -> None:
        """`format` is text or markdown. Without `template` and `store`, sites are learned from the pages themselves."""
        self._documents = Documents(format, None, template, store, by, writing, learning)

    @property
    def skipped(self) -> list[Skipped]:
        """The pages of the last run that could not be read or cleaned, with the reasons."""
        return list(self._documents.skipped)

    def lazy_load_data(self, source: Pages) -> Iterator[Document]:
        """Yields a document for each page."""
        for _, pieces in self._documents.of(pages_at(source)):
            for piece in pieces:
                yield Document(text=piece.text, **_about(piece.metadata))


class DehuskNodeParser(NodeParser):
    """Splits documents whose text is HTML, and whose metadata has the URL as `source` or `url`, into chunks."""

    chunk_size: int = Field(default=SIZE, description="Maximum number of letters of a chunk.")
    format: str = Field(default="text", description="text or markdown")
    template: Any = Field(default=None, description="A template, or the file or folder of saved ones.")
    store: str | None = Field(default=None, description="The file of a store.")
    by: str = Field(default="host", description="What a site is: host or domain.")
    writing: Any = Field(default=AS_LEARNED, description="How pages are written: a dehusk.Writing.")
    learning: dict[str, Any] = Field(default_factory=dict, description="Options of dehusk.learn.")
    _documents: Documents = PrivateAttr()

    def __init__(self, **options: Any) -> None:
        if isinstance(options.get("id_func"), dict):  # LlamaIndex saves a function that it cannot load again
            del options["id_func"]
        super().__init__(**options)
        self._documents = self._chosen()

    @field_validator("template", mode="before")
    @classmethod
    def _restored_template(cls, value: Any) -> Any:
        return restored_template(value)

    @field_validator("writing", mode="before")
    @classmethod
    def _restored_writing(cls, value: Any) -> Any:
        return restored_writing(value)

    @field_validator("store", mode="before")
    @classmethod
    def _path(cls, value: Any) -> Any:
        return os.fspath(value) if isinstance(value, os.PathLike) else value

    @field_serializer("template", "writing")
    def _saved(self, _: Any, info: Any) -> Any:
        """Saves them whole: a cache of LlamaIndex must not take one template for another."""
        return saved(self.template, self.writing)[info.field_name]

    @classmethod
    def class_name(cls) -> str:
        """Returns the name for saved pipelines."""
        return "DehuskNodeParser"

    @property
    def skipped(self) -> list[Skipped]:
        """The documents of the last run that could not be cleaned, with the reasons."""
        return list(self._documents.skipped)

    def _chosen(self) -> Documents:
        chosen = (self.format, self.chunk_size, self.template, self.store, self.by, self.writing, self.learning)
        return Documents(*chosen)

    def _parse_nodes(self, nodes: Sequence[BaseNode], show_progress: bool = False, **_: Any) -> list[BaseNode]:  # noqa: ARG002
        self._documents = self._chosen()  # fields may be set at any time
        items = [html_page(_url(node), node.get_content(MetadataMode.NONE), n) for n, node in enumerate(nodes)]
        origins = {id(item): node for item, node in zip(items, nodes, strict=True)}
        return [_node(piece, origins[id(page)]) for page, pieces in self._documents.of(items) for piece in pieces]


def _url(node: BaseNode) -> object:
    return node.metadata.get("source") or node.metadata.get("url")


def _node(piece: Piece, origin: BaseNode) -> TextNode:
    relationships = {NodeRelationship.SOURCE: origin.as_related_node_info()}
    about = _about({**origin.metadata, **piece.metadata})
    return TextNode(
        text=piece.text, id_=f"{origin.node_id}-{piece.metadata['position']}", relationships=relationships, **about
    )


def _about(metadata: dict[str, Any]) -> dict[str, Any]:
    """Returns the metadata of a node, and which of it is not shown to models."""
    hidden = [name for name in NOT_EMBEDDED if name in metadata]
    return {"metadata": metadata, "excluded_embed_metadata_keys": hidden, "excluded_llm_metadata_keys": hidden}
