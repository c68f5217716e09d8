"""The outer shape of every answer: routing, bodies, errors, masks, kept connections, parameters, discovery."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.google_emulator import fields, validation
from tests.google_emulator.clients import service
from tests.google_emulator.errors import ApiError
from tests.google_emulator.sample import BOOK, load

ROOT = Path(__file__).parent.parent.parent
BAD_REQUEST = "type.googleapis.com/google.rpc.BadRequest"


def made(http, title="Form"):
    return http("POST", "/v1/forms", json={"info": {"title": title}}).json()["formId"]


def test_bodies_are_printed_with_two_spaces_and_a_final_newline(http):
    answer = http("GET", "/v1/forms/nope")
    assert answer.status_code == 404
    assert answer.headers["Content-Type"] == "application/json; charset=UTF-8"
    assert answer.text == (
        '{\n  "error": {\n    "code": 404,\n    "message": "Requested entity was not found.",\n'
        '    "status": "NOT_FOUND"\n  }\n}\n'
    )


def test_compact_bodies_where_pretty_print_is_switched_off(http):
    assert http("GET", "/v1/forms/nope?prettyPrint=false").text.startswith('{"error":{"code":404,')


def test_drive_keeps_the_older_form_of_an_error(http):
    assert http("GET", "/drive/v3/files/nope").json() == {
        "error": {
            "code": 404,
            "message": "File not found: nope.",
            "errors": [
                {
                    "message": "File not found: nope.",
                    "domain": "global",
                    "reason": "notFound",
                    "location": "fileId",
                    "locationType": "parameter",
                }
            ],
        }
    }


def test_an_unknown_path_gets_the_front_ends_page(http):
    answer = http("GET", "/v1/nothing/here")
    assert answer.status_code == 404
    assert answer.headers["Content-Type"].startswith("text/html")
    assert "<code>/v1/nothing/here</code> was not found on this server." in answer.text


@pytest.mark.parametrize(
    ("body", "field", "text"),
    [
        ({"foo": 1}, None, 'Invalid JSON payload received. Unknown name "foo": Cannot find field.'),
        (
            {"requests": [{"createItem": {"item": {"foo": 1}}}]},
            "requests[0].create_item.item",
            "Invalid JSON payload received. Unknown name \"foo\" at 'requests[0].create_item.item': Cannot find field.",
        ),
        (
            {"requests": [{"createItem": {"item": {"title": 5}}}]},
            "requests[0].create_item.item.title",
            "Invalid value at 'requests[0].create_item.item.title' (TYPE_STRING), 5",
        ),
        (
            {"requests": [{"createItem": {"location": {"index": "x"}}}]},
            "requests[0].create_item.location.index",
            "Invalid value at 'requests[0].create_item.location.index' (TYPE_INT32), \"x\"",
        ),
        (
            {"requests": [{"updateSettings": {"settings": {"emailCollectionType": "responderInput"}}}]},
            "requests[0].update_settings.settings.email_collection_type",
            "Invalid value at 'requests[0].update_settings.settings.email_collection_type' "
            '(type.googleapis.com/google.apps.forms.v1.FormSettings.EmailCollectionType), "responderInput"',
        ),
        (
            {"requests": [{"createItem": {}, "deleteItem": {}}]},
            "requests[0]",
            "Invalid value at 'requests[0]' (oneof), oneof field 'kind' is already set. Cannot set 'deleteItem'",
        ),
        (
            {"writeControl": []},
            None,
            'Invalid JSON payload received. Unknown name "writeControl": Proto field is not repeating, cannot start list.',
        ),
    ],
)
def test_what_the_parser_refuses_is_named_with_its_place(http, body, field, text):
    answer = http("POST", f"/v1/forms/{made(http)}:batchUpdate", json=body)
    violation = {"description": text} if field is None else {"field": field, "description": text}
    assert answer.status_code == 400
    assert answer.json()["error"] == {
        "code": 400,
        "message": text,
        "status": "INVALID_ARGUMENT",
        "details": [{"@type": BAD_REQUEST, "fieldViolations": [violation]}],
    }


def test_the_parser_takes_nulls_snake_case_quoted_numbers_and_a_single_value_for_a_list():
    body = {
        "include_form_in_response": "true",
        "writeControl": None,
        "requests": {"moveItem": {"original_location": {"index": "1"}, "newLocation": {"index": 2.0}}},
    }
    assert validation.read_body("forms.v1", "BatchUpdateFormRequest", json.dumps(body).encode()) == {
        "includeFormInResponse": True,
        "requests": [{"moveItem": {"originalLocation": {"index": 1}, "newLocation": {"index": 2}}}],
    }


def test_rows_of_values_must_be_lists():
    with pytest.raises(ApiError) as caught:
        validation.read_body("sheets.v4", "ValueRange", b'{"values": [1, ["a", null]]}', "data")
    text = "Invalid value at 'data.values[0]' (type.googleapis.com/google.protobuf.ListValue), 1"
    assert caught.value.message == text


def test_broken_json_is_refused_in_both_dialects(http):
    broken = http("POST", "/v1/forms", data=b'{"info": ')
    assert (broken.status_code, broken.json()["error"]["status"]) == (400, "INVALID_ARGUMENT")
    assert broken.json()["error"]["message"].startswith("Invalid JSON payload received. ")
    old = http("POST", "/drive/v3/files", data=b"{")
    assert old.json()["error"]["errors"][0]["reason"] == "parseError"


def test_drive_passes_over_fields_and_parameters_it_does_not_know(http):
    answer = http("POST", "/drive/v3/files?withLink=1", json={"name": "a", "withLink": True})
    assert answer.status_code == 200


def test_forms_refuses_parameters_it_does_not_know(http):
    answer = http("GET", f"/v1/forms/{made(http)}?foo=1")
    assert answer.json()["error"]["message"] == (
        'Invalid JSON payload received. Unknown name "foo": Cannot bind query parameter. '
        "Field 'foo' could not be found in request message."
    )


@pytest.mark.parametrize(
    ("mask", "shown"),
    [
        ("info/title", {"info": {"title": "Form"}}),
        ("info.title", {"info": {"title": "Form"}}),
        ("info(title)", {"info": {"title": "Form"}}),
        ("info( title ), settings", {"info": {"title": "Form"}, "settings": {"emailCollectionType": "DO_NOT_COLLECT"}}),
        ("settings(*)", {"settings": {"emailCollectionType": "DO_NOT_COLLECT"}}),
    ],
)  # fmt: skip
def test_a_field_mask_shows_what_it_names_and_nothing_else(http, mask, shown):
    assert http("GET", f"/v1/forms/{made(http)}", params={"fields": mask}).json() == shown


def test_a_mask_that_names_nothing_is_refused(http):
    answer = http("GET", f"/v1/forms/{made(http)}?fields=info/foo").json()["error"]
    assert answer["message"] == "Request contains an invalid argument."
    assert answer["details"][0]["fieldViolations"] == [
        {
            "field": "info.foo",
            "description": "Error expanding 'fields' parameter. Cannot find matching fields for path 'info.foo'.",
        }
    ]
    old = http("GET", "/drive/v3/files?fields=foo").json()["error"]
    assert (old["message"], old["errors"][0]["location"]) == ("Invalid field selection foo", "fields")


def test_a_mask_is_merged_path_by_path():
    target = {"title": "a", "questionItem": {"question": {"questionId": "1", "required": True}}}
    source = {"title": "b", "questionItem": {"question": {"textQuestion": {}}}}
    fields.merge(target, source, fields.parse("question_item.question(required,textQuestion)"))
    assert target == {"title": "a", "questionItem": {"question": {"questionId": "1", "textQuestion": {}}}}


def test_an_encoded_path_is_routed_before_it_is_decoded(emulator, http):
    name = quote("a/b:append", safe="")
    assert http("GET", f"/v1/forms/{name}").json()["error"]["status"] == "NOT_FOUND"
    assert emulator.control("log")["calls"][-1]["file"] == "a/b:append"


def test_a_get_too_long_for_an_address_comes_as_a_post(forms, emulator):
    made_id = forms.create(body={"info": {"title": "x"}}).execute()["formId"]
    with pytest.raises(Exception, match="Invalid filter"):
        forms.responses().list(formId=made_id, filter="x" * 3000).execute()
    last = emulator.control("log")["calls"][-1]
    assert (last["verb"], last["method"]) == ("GET", "forms.forms.responses.list")


def test_one_connection_carries_many_requests(emulator):
    with socket.create_connection(("127.0.0.1", int(emulator.base.rpartition(":")[2])), 5) as wire:
        stream = wire.makefile("rb")
        for _ in range(3):
            wire.sendall(b"GET /v1/forms/nope HTTP/1.1\r\nHost: x\r\n\r\n")
            assert stream.readline() == b"HTTP/1.1 404 Not Found\r\n"
            headers = dict(line.split(b": ", 1) for line in iter(stream.readline, b"\r\n"))
            stream.read(int(headers[b"Content-Length"]))
        stream.close()


def test_many_calls_in_one_batch_are_answered_one_by_one(emulator, drive):
    seen = {}
    batch = drive.new_batch_http_request(
        callback=lambda name, answer, error: seen.update({name: (answer, error)})
    )
    batch.add(drive.files().create(body={"name": "a"}), request_id="one")
    batch.add(drive.files().get(fileId="nope"), request_id="two")
    batch.execute()
    assert seen["one"][0]["name"] == "a"
    assert seen["two"][1].status_code == 404


def test_the_discovery_document_carries_our_address(http, emulator):
    shown = http("GET", "/discovery/v1/apis/forms/v1/rest").json()
    assert (shown["rootUrl"], shown["id"]) == (f"{emulator.base}/", "forms:v1")
    assert http("GET", "/$discovery/rest?version=v4").json()["name"] == "sheets"


def test_what_the_emulator_cannot_do_is_501(http):
    answer = http("GET", "/drive/v3/files/x/revisions")
    assert answer.status_code == 501
    assert answer.json()["error"]["message"] == "The emulator does not implement drive.revisions.list."


def test_an_answer_outside_the_document_never_leaves(emulator, http):
    form_id = made(http)
    emulator.world.files[form_id].data.items.append({"itemId": "1", "invented": True})
    answer = http("GET", f"/v1/forms/{form_id}")
    assert answer.status_code == 500
    assert "invented: not in the document" in answer.json()["error"]["message"]


def test_the_sample_game_can_be_there_from_the_start(emulator, forms, drive):
    made = load(emulator, ("robot@example.com",))
    assert {each["name"] for each in drive.files().list().execute()["files"]} >= {BOOK, "マスイベ参加申込"}
    listed = forms.responses().list(formId=made["signup"]).execute()["responses"]
    assert len(listed) == 124
    assert any(each["createTime"][:19] != each["lastSubmittedTime"][:19] for each in listed)
    assert all("@" in each["respondentEmail"] for each in listed)


def test_it_runs_alone_and_says_where_first():
    with subprocess.Popen(
        [sys.executable, "-m", "tests.google_emulator", "--port", "0"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    ) as running:
        try:
            word, base = running.stdout.readline().split()
            assert word == "BASE"
            with service("drive", base) as drive:
                assert drive.files().list().execute()["files"] == []
        finally:
            running.terminate()
        assert running.wait(5) == 0
