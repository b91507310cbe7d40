"""The plant store as the FastAPI tutorial writes it: a model, HTTPBearer, a return type."""

import os
from typing import Annotated

from fastapi import Depends, FastAPI, HTTPException
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel

app = FastAPI(title="Plant Store", version="1.0.0")
security = HTTPBearer()


class Plant(BaseModel):
    name: str
    tag: str | None = None


class NewPlant(Plant):
    id: int


@app.post("/plants")
async def create_plant(
    plant: NewPlant,
    credentials: Annotated[HTTPAuthorizationCredentials, Depends(security)],
) -> Plant:
    if credentials.credentials != os.environ["TOKEN"]:
        raise HTTPException(status_code=401, detail="Invalid token")
    return plant
