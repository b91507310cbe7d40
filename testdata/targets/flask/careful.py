"""The plant store with Flask, made to keep the contract."""

import json
import os
import secrets

from flask import Flask, request
from werkzeug.exceptions import HTTPException

app = Flask(__name__)


class Refused(Exception):
    pass


def refuse_constant(name):
    raise ValueError(f"{name} is not JSON")


def new_plant(raw):
    try:
        plant = json.loads(raw.decode("utf-8"), parse_constant=refuse_constant)
    except (ValueError, RecursionError) as e:
        raise Refused(f"not JSON: {e}")
    if type(plant) is not dict:
        raise Refused("not an object")
    if type(plant.get("id")) is not int or not -(2**63) <= plant["id"] < 2**63:
        raise Refused("id: an int64 is required")
    if type(plant.get("name")) is not str:
        raise Refused("name: a string is required")
    if "tag" in plant and type(plant["tag"]) is not str:
        raise Refused("tag: not a string")
    return plant


@app.errorhandler(Refused)
def refused(e):
    return {"error": 400, "message": str(e)}, 400


@app.errorhandler(HTTPException)
def http_error(e):
    return {"error": e.code, "message": e.description}, e.code


@app.post("/plants")
def create_plant():
    auth = request.authorization
    if auth is None or auth.type != "bearer" or not secrets.compare_digest(
        (auth.token or "").encode("utf-8", "surrogatepass"), os.environ["TOKEN"].encode()
    ):
        return {"error": 401, "message": "unauthorized"}, 401, {"WWW-Authenticate": "Bearer"}
    plant = new_plant(request.get_data())
    return {k: plant[k] for k in ("name", "tag") if k in plant}
