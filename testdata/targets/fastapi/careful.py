"""The plant store with FastAPI, made to keep the contract."""

import json
import os
import secrets
from typing import Annotated

from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import HTTPException
from fastapi.responses import JSONResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import AfterValidator, BaseModel, Field, StrictInt, StrictStr, ValidationError
from starlette.exceptions import HTTPException as StarletteHTTPException

app = FastAPI(title="Plant Store", version="1.0.0")
security = HTTPBearer()


def encodable(text: str) -> str:
    # "\\ud83d" alone is read without complaint, and then no answer can carry it.
    text.encode("utf-8")
    return text


Text = Annotated[StrictStr, AfterValidator(encodable)]


class Plant(BaseModel):
    name: Text
    # Not Text | None: a tag may be left out, but it may not be null.
    tag: Text = None


class NewPlant(Plant):
    id: Annotated[StrictInt, Field(ge=-(2**63), lt=2**63)]


class Error(BaseModel):
    error: int
    message: str


def refuse(message: str) -> HTTPException:
    return HTTPException(status_code=400, detail=message)


def refuse_constant(name: str):
    raise ValueError(f"{name} is not JSON")


async def new_plant(request: Request) -> NewPlant:
    # FastAPI's own reading of a body takes NaN and Infinity, UTF-16, and answers
    # a number of 5,000 digits or a deep nesting with 500.
    raw = await request.body()
    try:
        value = json.loads(raw.decode("utf-8"), parse_constant=refuse_constant)
        return NewPlant.model_validate(value)
    except ValidationError as e:
        raise refuse(e.errors()[0]["msg"])
    except (ValueError, RecursionError) as e:
        raise refuse(f"not JSON: {e}")


async def authorized(request: Request, _: Annotated[HTTPAuthorizationCredentials, Depends(security)]):
    # HTTPBearer strips all that Python calls a blank, U+00A0 too: take the token from the header.
    given = request.headers["Authorization"].split(" ", 1)[1].lstrip(" ").encode("utf-8")
    if not secrets.compare_digest(given, os.environ["TOKEN"].encode()):
        raise HTTPException(401, "invalid token", {"WWW-Authenticate": "Bearer"})


@app.exception_handler(StarletteHTTPException)
async def error(request: Request, e: StarletteHTTPException):
    return JSONResponse({"error": e.status_code, "message": str(e.detail)}, e.status_code, e.headers)


@app.post(
    "/plants",
    dependencies=[Depends(authorized)],
    response_model=Plant,
    response_model_exclude_unset=True,
    responses={400: {"model": Error}},
)
async def create_plant(plant: Annotated[NewPlant, Depends(new_plant)]):
    return plant
