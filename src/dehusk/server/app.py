"""The HTTP application: a route for each entry of `answers.QUESTIONS`. Workers (`_work`) reply with JSON already."""

import inspect
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from importlib.resources import files
from inspect import Parameter, Signature
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
from dehusk.server._journal import Journal
from dehusk.server._work import Reply, Workers, failure
from dehusk.server.answers import QUESTIONS, Question, ServiceFiles
from dehusk.server.guards import App, Guarded, Limited, Limits, Listening, TokenFile

STATUS = "/api/status"
"""A route without limits: answered however busy the service is."""

_ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": models.Error, "description": description}
    for status, description in {
        400: "Not JSON",
        401: "Missing or wrong token",
        403: "Cross-origin request refused",
        404: "Not found",
        413: "Too large",
        422: "Invalid request",
        500: "Internal error",
        503: "Too many requests at once, or no space left",
        504: "Took too long",
    }.items()
}
_ADVICE = {
    "Not Found": "no such route; see /openapi.json",
    "Method Not Allowed": "no such method here; see /openapi.json",
    "There was an error parsing the body": "the body is not JSON in UTF-8, or is nested too deeply; see /openapi.json",
}
"""Messages of the framework, and their replacements."""

_TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """The files, address, token and limits of a service."""

    place: ServiceFiles
    listening: Listening
    token: TokenFile
    limits: Limits = field(default_factory=Limits)
    workers: int | None = None
    journal: Journal = field(default_factory=Journal)


def service(settings: ServiceSettings) -> App:
    """The whole service: the routes, behind limits, behind the token check."""
    app = routes(settings)
    limited = Limited(app, settings.limits, lambda path: path.startswith("/api/") and path != STATUS)
    return Guarded(limited, settings.listening, settings.token)


def routes(settings: ServiceSettings) -> FastAPI:
    """The routes, without limits and token check."""

    @asynccontextmanager
    async def working(app: FastAPI) -> AsyncIterator[None]:
        app.state.workers = Workers(settings.place, settings.workers, journal=settings.journal)
        await app.state.workers.warm()
        try:
            yield
        finally:
            await app.state.workers.close()

    app = FastAPI(
        title="dehusk",
        version=version("dehusk"),
        description="Learn the templates of web sites, strip them, and show what changed.",
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


@API.get("/status")
async def status(request: Request) -> models.Status:
    """Version, methods, roles, limits and store of the service."""
    settings: ServiceSettings = request.app.state.settings
    return models.Status(
        version=version("dehusk"),
        methods=list(methods.METHODS),
        grains=list(GRAINS),
        roles={role.value: role.meaning for role in Role},
        limits=models.LimitsOut(**asdict(settings.limits)),
        store=str(settings.place.store),
    )


def _add(question: Question) -> None:
    """Adds a route; its parameters, body, response and description are those of the handler."""
    signature = inspect.signature(question.answer)
    _, *asked = signature.parameters.values()

    async def answered(request: Request, **given: Any) -> Response:
        workers: Workers = request.app.state.workers
        return _response(await workers.ask(question.name, *(given[parameter.name] for parameter in asked)))

    named = [parameter.replace(kind=Parameter.KEYWORD_ONLY) for parameter in asked]
    request = Parameter("request", Parameter.POSITIONAL_OR_KEYWORD, annotation=Request)
    answered.__signature__ = Signature([request, *named])  # type: ignore[attr-defined]  # what the framework reads
    answered.__name__, answered.__doc__ = question.name, question.answer.__doc__
    model = signature.return_annotation
    API.add_api_route(question.path, answered, methods=[question.method], response_model=model)


for _question in QUESTIONS.values():
    _add(_question)


@VIEWER.get("/")
async def front() -> Response:
    """The viewer."""
    return _file("index.html")


@VIEWER.get("/hello")
async def hello(request: Request, nonce: Annotated[str, Query(pattern="^[0-9a-f]{32,64}$")]) -> dict[str, str]:
    """Proves that this program knows the token, to a client that has drawn a nonce: see `TokenFile.proof`."""
    settings: ServiceSettings = request.app.state.settings
    host, port = request.scope["server"]
    return {"proof": settings.token.proof(f"{host}:{port}", nonce)}


@VIEWER.get("/viewer/{name}")
async def file(name: str) -> Response:
    """A file of the viewer."""
    return _file(name)


def _file(name: str) -> Response:
    """A file of the viewer. Names are compared with a list of the folder, so no other file can be opened."""
    for file in files("dehusk.server.viewer").iterdir():
        suffix = file.name[file.name.rfind(".") :]
        if file.name == name and suffix in _TYPES:
            return Response(file.read_bytes(), media_type=_TYPES[suffix])
    raise HTTPException(404, "no such file; the viewer is at /")


def _response(reply: Reply) -> Response:
    return Response(reply.body, reply.status, media_type="application/json")


async def _invalid(_: Request, error: Exception) -> Response:
    """Describes a validation error in one line."""
    first = error.errors()[0] if isinstance(error, RequestValidationError) else {}
    if first.get("type") == "json_invalid":
        return _response(
            failure(422, f"the body is not JSON: error at character {first['loc'][-1]}; see /openapi.json")
        )
    field = ".".join(map(str, first.get("loc", ())[1:]))
    return _response(failure(422, f"{field or 'the body'}: {first.get('msg', 'not valid')}; see /openapi.json"))


async def _wrong(request: Request, error: Exception) -> Response:
    """The response to an HTTP error that a route or the framework raised."""
    if not isinstance(error, AnyHTTPException):
        raise error
    response = _response(failure(error.status_code, _ADVICE.get(error.detail, error.detail)))
    response.headers.update(error.headers or {})
    if error.status_code == 405:  # the framework names the methods of one route, but several may have this path
        response.headers["Allow"] = ", ".join(sorted(_methods_at(request)))
    return response


def _methods_at(request: Request) -> set[str]:
    """The HTTP methods of all routes at the path of a request."""
    here = [route for route in (*API.routes, *VIEWER.routes) if route.matches(request.scope)[0] is not Match.NONE]
    return {method for route in here if isinstance(route, Route) for method in route.methods or ()}


async def _failed(_: Request, __: Exception) -> Response:
    return _response(failure(500, "the service failed on this request; see its log"))
