"""The routes of the service. Each hands its question to `work`, whose answers are JSON already."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from importlib.resources import files
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, HTTPException, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from fastapi.security import HTTPBearer
from starlette.exceptions import HTTPException as AnyHTTPException
from starlette.routing import Match, Route

from dehusk import methods
from dehusk.methods.evidence.judging import GRAINS
from dehusk.roles import Role
from dehusk.server import _models as models
from dehusk.server._work import Reply, Workers, failure
from dehusk.server.answers import ServiceFiles
from dehusk.server.limits import App, Limited, Limits
from dehusk.server.security import Guarded, Listening, TokenFile

STATUS = "/api/status"
"""What is answered however busy the service is."""

_ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": models.Error, "description": description}
    for status, description in {
        400: "No JSON",
        401: "No token",
        403: "A request of a web page",
        404: "Not there",
        413: "Too large",
        422: "What was asked makes no sense",
        500: "A fault of the service",
        503: "Too many at once, or no space left",
        504: "Took too long",
    }.items()
}
_ADVICE = {
    "Not Found": "no such route; see /openapi.json",
    "Method Not Allowed": "no such method here; see /openapi.json",
    "There was an error parsing the body": "the body is no JSON in UTF-8, or too deep; see /openapi.json",
}
"""What the framework says, and what is said instead."""

_TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """Where a service is, whom it answers, what it keeps, and its limits."""

    place: ServiceFiles
    listening: Listening
    token: TokenFile
    limits: Limits = field(default_factory=Limits)
    workers: int | None = None


def service(settings: ServiceSettings) -> App:
    """The whole service: routes, behind limits, behind the token."""
    app = routes(settings)
    limited = Limited(app, settings.limits, lambda path: path.startswith("/api/") and path != STATUS)
    return Guarded(limited, settings.listening, settings.token)


def routes(settings: ServiceSettings) -> FastAPI:
    """The routes, which answer whoever asks."""

    @asynccontextmanager
    async def working(app: FastAPI) -> AsyncIterator[None]:
        app.state.workers = Workers(settings.place, settings.workers)
        await app.state.workers.warm()
        try:
            yield
        finally:
            await app.state.workers.close()

    app = FastAPI(
        title="dehusk",
        version=version("dehusk"),
        description="Templates of web sites: learn them, strip them, tell what changed.",
        docs_url=None,
        redoc_url=None,
        lifespan=working,
    )
    app.state.settings = settings
    app.include_router(API, responses=_ERRORS)
    app.include_router(VIEWER)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(AnyHTTPException, _wrong)
    app.add_exception_handler(Exception, _failed)
    return app


API = APIRouter(prefix="/api", dependencies=[Depends(HTTPBearer())])
VIEWER = APIRouter(include_in_schema=False)
Looked = Annotated[str, Query(max_length=200, description="What is looked for in names and titles.")]
Offset = Annotated[int, Query(ge=0, le=1_000_000)]
Limit = Annotated[int, Query(ge=1, le=models.MOST_LISTED)]
Method = Annotated[models.MethodName | None, Query()]
Grain = Annotated[models.Grain | None, Query()]


@API.get("/status")
async def status(request: Request) -> models.Status:
    """What the service is, and what it knows."""
    settings: ServiceSettings = request.app.state.settings
    return models.Status(
        version=version("dehusk"),
        methods=list(methods.METHODS),
        grains=list(GRAINS),
        roles={role.value: role.meaning for role in Role},
        limits=models.LimitsOut(**asdict(settings.limits)),
        store=str(settings.place.store),
    )


@API.get("/sites", response_model=list[models.SiteOut])
async def sites(request: Request, query: Looked = "", offset: Offset = 0, limit: Limit = 200) -> Response:
    """The sites of the store, in the order of their names."""
    return await _ask(request, "sites", query, offset, limit)


@API.post("/learn", response_model=list[models.SiteOut])
async def learn(request: Request, body: models.Learn) -> Response:
    """Learns pages into the store; answers with the sites that they are of."""
    return await _ask(request, "learn", body)


@API.post("/clean", response_model=models.CleanedOut)
async def clean(request: Request, body: models.Clean) -> Response:
    """A page without its template."""
    return await _ask(request, "clean", body)


@API.post("/mark", response_model=models.PageView)
async def mark(request: Request, body: models.MarkRequest) -> Response:
    """A page to look at: what goes, what stays, and why."""
    return await _ask(request, "mark", body)


@API.post("/candidates", response_model=models.UrlsOut)
async def candidates(request: Request, body: models.Candidates) -> Response:
    """The links of a page that may lead to pages with the same template, the best first."""
    return await _ask(request, "candidates", body)


@API.post("/template", response_model=models.TemplateView)
async def template(request: Request, body: models.FindTemplate) -> Response:
    """The template of a page, found with pages that its links lead to."""
    return await _ask(request, "template", body)


@API.post("/diff", response_model=models.DiffOut)
async def diff(request: Request, body: models.Compare) -> Response:
    """What changed between two versions of a page."""
    return await _ask(request, "diff", body)


@API.post("/visit", response_model=models.VisitOut)
async def visit(request: Request, body: models.VisitRequest) -> Response:
    """What changed on a page since the last visit. This one is kept, unless it is private."""
    return await _ask(request, "visit", body)


@API.get("/snapshots", response_model=list[models.Snapshot])
async def snapshots(request: Request) -> Response:
    """What is kept of visits, the newest first."""
    return await _ask(request, "snapshots")


@API.delete("/snapshots", response_model=models.Forgotten)
async def forget(request: Request, url: Annotated[models.Address | None, Query()] = None) -> Response:
    """Deletes what is kept of an address, or all of it."""
    return await _ask(request, "forget", url)


@API.get("/sites/{site}/pages", response_model=models.PageList)
async def pages(
    request: Request, site: models.Site, query: Looked = "", offset: Offset = 0, limit: Limit = 100
) -> Response:
    """The pages that a site was learned from, those first that do not share its template."""
    return await _ask(request, "pages", site, query, offset, limit)


@API.get("/sites/{site}/pages/{page}", response_model=models.PageView)
async def page(request: Request, site: models.Site, page: str, method: Method = None, grain: Grain = None) -> Response:
    """One of these pages to look at, by another method or grain if given."""
    return await _ask(request, "page", site, page, method, grain)


@API.get("/sites/{site}/edits", response_model=list[models.EditOut])
async def edits(request: Request, site: models.Site) -> Response:
    """The corrections of a site, the first one first."""
    return await _ask(request, "edits", site)


@API.post("/sites/{site}/edits", response_model=models.EditOut)
async def edit(request: Request, site: models.Site, body: models.Correct) -> Response:
    """Saves a correction of a site. It holds for all versions of its template."""
    return await _ask(request, "edit", site, body)


@API.delete("/sites/{site}/edits/{edit}", response_model=models.Forgotten)
async def undo(request: Request, site: models.Site, edit: str) -> Response:
    """Takes a correction back; the others stay."""
    return await _ask(request, "undo", site, edit)


@API.post("/sites/{site}/preview", response_model=list[models.Effect])
async def preview(request: Request, site: models.Site, body: models.Preview) -> Response:
    """What a correction would do to three other pages of the site."""
    return await _ask(request, "preview", site, body)


@VIEWER.get("/")
async def front() -> Response:
    """The viewer."""
    return _file("index.html")


@VIEWER.get("/viewer/{name}")
async def file(name: str) -> Response:
    """A file of the viewer."""
    return _file(name)


async def _ask(request: Request, name: str, *question: object) -> Response:
    workers: Workers = request.app.state.workers
    return _response(await workers.ask(name, *question))


def _file(name: str) -> Response:
    """A file of the viewer, by its name alone: there are few, and no other is ever opened."""
    for one in files("dehusk.server.viewer").iterdir():
        suffix = one.name[one.name.rfind(".") :]
        if one.name == name and suffix in _TYPES:
            return Response(one.read_bytes(), media_type=_TYPES[suffix])
    raise HTTPException(404, "no such file; the viewer is at /")


def _response(reply: Reply) -> Response:
    return Response(reply.body, reply.status, media_type="application/json")


async def _invalid(_: Request, error: Exception) -> Response:
    """Says what is wrong with a request, in one line."""
    first = error.errors()[0] if isinstance(error, RequestValidationError) else {}
    if first.get("type") == "json_invalid":
        return _response(failure(422, f"the body is no JSON from character {first['loc'][-1]} on; see /openapi.json"))
    place = ".".join(map(str, first.get("loc", ())[1:]))
    return _response(failure(422, f"{place or 'the body'}: {first.get('msg', 'not valid')}; see /openapi.json"))


async def _wrong(request: Request, error: Exception) -> Response:
    """An error that a route or the framework raised."""
    if not isinstance(error, AnyHTTPException):
        raise error
    response = _response(failure(error.status_code, _ADVICE.get(error.detail, error.detail)))
    response.headers.update(error.headers or {})
    if error.status_code == 405:  # the framework names the methods of one route, and several may have this path
        response.headers["Allow"] = ", ".join(sorted(_methods_at(request)))
    return response


def _methods_at(request: Request) -> set[str]:
    """The methods that there are routes for at the path of a request."""
    found = [one for one in (*API.routes, *VIEWER.routes) if one.matches(request.scope)[0] is not Match.NONE]
    return {method for one in found if isinstance(one, Route) for method in one.methods or ()}


async def _failed(_: Request, __: Exception) -> Response:
    return _response(failure(500, "the service failed on this request, and has printed why"))
