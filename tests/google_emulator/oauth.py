"""The token endpoint: a signed claim or a refresh token comes in, an access token goes out."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs

from tests.google_emulator.accounts import Accounts, JwtError
from tests.google_emulator.messages import Answer, Request, as_json

PATHS = ("/token", "/oauth2/v4/token", "/o/oauth2/token")
AUDIENCES = ("https://oauth2.googleapis.com/token", "https://www.googleapis.com/oauth2/v4/token")
JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"
_SHORT_LIVED = (
    "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. "
    "Check your iat and exp values in the JWT claim."
)
_SKEW = 300


def refuse(error: str, description: str, status: int = 400) -> Answer:
    return Answer(status, as_json({"error": error, "error_description": description}))


def asks(request: Request) -> bool:
    """Whether somebody asks for a token."""
    return request.path in PATHS and request.verb == "POST"


def answer(request: Request, accounts: Accounts, base: str) -> Answer | None:
    """None where the path is none of ours."""
    if asks(request):
        form = {name: values[-1] for name, values in parse_qs(request.body.decode("utf-8")).items()}
        return _token(form, accounts, base)
    if request.path in ("/tokeninfo", "/oauth2/v3/tokeninfo", "/oauth2/v1/tokeninfo"):
        return _info(request, accounts)
    if request.path == "/revoke":
        form = parse_qs(request.body.decode("utf-8"))
        text = request.first("token") or form.get("token", [""])[0]
        if accounts.tokens.pop(text, None) is None and accounts.grants.pop(text, None) is None:
            return refuse("invalid_token", "Token expired or revoked")
        return Answer(200, as_json({}))
    return None


def _token(form: dict[str, str], accounts: Accounts, base: str) -> Answer:
    kind = form.get("grant_type", "")
    if kind == JWT_BEARER:
        return _from_claims(form.get("assertion", ""), accounts, base)
    if kind == "refresh_token":
        return _from_refresh(form, accounts)
    if not kind:
        return refuse("invalid_request", "Missing required parameter: grant_type")
    return refuse("unsupported_grant_type", f"Invalid grant_type: {kind}")


def _from_claims(assertion: str, accounts: Accounts, base: str) -> Answer:
    if not assertion:
        return refuse("invalid_request", "Missing required parameter: assertion")
    try:
        claims = accounts.verify(assertion)
    except JwtError as error:
        return refuse("invalid_grant", str(error))
    now = accounts.world.now().timestamp()
    issued, expires = claims.get("iat", 0), claims.get("exp", 0)
    if not (issued - _SKEW <= now <= expires + _SKEW and 0 < expires - issued <= 3600 + _SKEW):
        return refuse("invalid_grant", _SHORT_LIVED)
    if claims.get("aud") not in (*AUDIENCES, f"{base}/token"):
        return refuse("invalid_grant", "Invalid JWT: Failed audience check.")
    scopes = frozenset(str(claims.get("scope", "")).split())
    if not scopes:
        return refuse("invalid_scope", "Invalid OAuth scope or ID token audience provided.")
    if any(not scope.startswith(("https://", "openid", "email", "profile")) for scope in scopes):
        return refuse("invalid_scope", "Invalid OAuth scope or ID token audience provided.")
    email = str(claims.get("sub") or claims["iss"])
    text = accounts.issue(email, scopes, service_account=not claims.get("sub"))
    return _granted(text, {})


def _from_refresh(form: dict[str, str], accounts: Accounts) -> Answer:
    text = form.get("refresh_token", "")
    if not text:
        return refuse("invalid_request", "Missing required parameter: refresh_token")
    if not form.get("client_id"):
        return refuse("invalid_request", "Could not determine client ID from request.")
    grant = accounts.grants.get(text)
    if grant is None:
        return refuse("invalid_grant", "Token has been expired or revoked.")
    if grant.client_id and form.get("client_id", "") != grant.client_id:
        return refuse("invalid_client", "The OAuth client was not found.", 401)
    if grant.client_secret and form.get("client_secret", "") != grant.client_secret:
        return refuse("invalid_client", "The provided client secret is invalid.", 401)
    scopes = grant.scopes
    asked = frozenset(form.get("scope", "").split())
    if asked and scopes is not None:
        if not asked <= scopes:
            return refuse("invalid_scope", "Some requested scopes were invalid.")
        scopes = asked
    shown = {"scope": " ".join(sorted(scopes))} if scopes else {}
    return _granted(accounts.issue(grant.email, scopes), shown)


def _granted(text: str, more: dict[str, Any]) -> Answer:
    body = {"access_token": text, "expires_in": 3599, **more, "token_type": "Bearer"}
    return Answer(
        200, as_json(body), headers={"Cache-Control": "no-cache, no-store, max-age=0, must-revalidate"}
    )


def _info(request: Request, accounts: Accounts) -> Answer:
    known = accounts.tokens.get(request.first("access_token"))
    left = known.expires - accounts.world.now().timestamp() if known else 0
    if known is None or left <= 0:
        return refuse("invalid_token", "Invalid Value")
    shown = {
        "azp": accounts.world.ids.of_account(known.email),
        "scope": " ".join(sorted(known.scopes or ())),
        "exp": str(int(known.expires)),
        "expires_in": str(int(left)),
        "email": known.email,
        "email_verified": "true",
        "access_type": "offline",
    }
    return Answer(200, as_json(shown))
