"""Accounts, tokens and shares, as a console and a human at the share dialogue would change them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.google_emulator.accounts import Grant
from tests.google_emulator.control.arguments import ControlError, required, the_file, truth
from tests.google_emulator.world import OWNER, RANK, Permission

if TYPE_CHECKING:
    from tests.google_emulator.service import Service

Json = dict[str, Any]


def _scopes(body: Json) -> frozenset[str] | None:
    given = body.get("scopes")
    if given is None:
        return None
    return frozenset(given.split() if isinstance(given, str) else given)


def service_account(service: Service, body: Json) -> Json:
    """{email} makes a key and answers the key file; {email, publicKey: PEM, keyId?} registers a key made elsewhere."""
    email = required(body, "email")
    if "publicKey" in body:
        key_id = service.accounts.register_pem(email, body["publicKey"], body.get("keyId", ""))
        return {"email": email, "keyId": key_id, "token_uri": f"{service.base}/token"}
    return service.accounts.make_service_account(email, service.base)


def token(service: Service, body: Json) -> Json:
    """{email?, scopes?, lifetime?: seconds, serviceAccount?} answers an access token of that account."""
    email, lifetime = body.get("email", OWNER), float(body.get("lifetime", 3599))
    made = service.accounts.issue(email, _scopes(body), lifetime, truth(body.get("serviceAccount", False)))
    return {"access_token": made, "token_type": "Bearer", "expires_in": int(lifetime)}


def refresh_token(service: Service, body: Json) -> Json:
    """{email?, clientId?, clientSecret?, scopes?} answers a refresh token of that account."""
    made = "1//" + service.world.ids.token().rpartition(".")[2]
    client, secret = body.get("clientId", ""), body.get("clientSecret", "")
    service.accounts.grants[made] = Grant(body.get("email", OWNER), client, secret, _scopes(body))
    return {"refresh_token": made, "token_uri": f"{service.base}/token"}


def revoke_grant(service: Service, body: Json) -> Json:
    """{refreshToken?}: that refresh token (or every one) answers invalid_grant from now on."""
    wanted = body.get("refreshToken")
    gone = [name for name in service.accounts.grants if wanted in (None, name)]
    for name in gone:
        del service.accounts.grants[name]
    return {"revoked": len(gone)}


def expire(service: Service, body: Json) -> Json:
    """{email?}: every access token handed out so far (to that account) answers 401 from now on."""
    return {"expired": service.accounts.expire_all(body.get("email", ""))}


def share(service: Service, body: Json) -> Json:
    """{fileId, email, role?: writer}: the owner shares a file with an account; email may be `anyone`."""
    file, email = the_file(service.world, body, "fileId"), required(body, "email")
    role = body.get("role", "writer")
    if role not in RANK:
        raise ControlError(f"role must be one of {', '.join(RANK)}")
    unshare(service, {"fileId": file.id, "email": email})
    if email == "anyone":
        file.permissions.append(Permission("anyoneWithLink", "anyone", role))
    else:
        made = Permission(service.world.ids.of_account(email), "user", role, email)
        made.display_name = email.split("@")[0]
        file.permissions.append(made)
    file.version += 1
    return {"fileId": file.id, "email": email, "role": role}


def unshare(service: Service, body: Json) -> Json:
    """{fileId, email}: the owner takes a share back; email may be `anyone`."""
    file, email = the_file(service.world, body, "fileId"), required(body, "email")
    kept = [each for each in file.permissions if each.role == "owner" or not _names(each, email)]
    removed = len(file.permissions) - len(kept)
    file.permissions = kept
    return {"fileId": file.id, "removed": removed}


def _names(share: Permission, email: str) -> bool:
    if email == "anyone":
        return share.type == "anyone" and not share.view
    return share.email.casefold() == email.casefold()
