"""Quizzes: which answer keys a question may have, and the points an answer gets."""

from __future__ import annotations

from tests.google_emulator.errors import invalid
from tests.google_emulator.forms.model import Form, Json, Response, whole_if_whole


def hold_grading(item: Json, question: Json, quiz: bool) -> None:
    grading = question.get("grading")
    if grading is None:
        return
    if not quiz:
        raise invalid("Cannot set grading on a form that is not a quiz.")
    if grading.get("pointValue", 0) < 0:
        raise invalid("The point value must not be negative.")
    keys = [answer.get("value", "") for answer in grading.get("correctAnswers", {}).get("answers", [])]
    choice = question.get("choiceQuestion")
    if choice is not None:
        options = [option.get("value") for option in choice.get("options", [])]
        if any(key not in options for key in keys):
            raise invalid("A correct answer must be one of the options of the question.")
    if (grading.get("whenRight") or grading.get("whenWrong")) and not (choice is not None and keys):
        raise invalid("whenRight and whenWrong can only be set for choice questions with correct answers.")
    if grading.get("generalFeedback") and choice is not None and keys:
        raise invalid("General feedback cannot be set for automatically graded multiple choice questions.")


def grade(form: Form, response: Response) -> None:
    """Points for every answer of a quiz; a wrong or ungraded answer has an empty grade, as recorded."""
    response.total_score = 0.0
    for name, answer in response.answers.items():
        answer.pop("grade", None)
        if not form.quiz or name not in form.questions():
            continue
        grading = form.questions()[name][1].get("grading", {})
        answer["grade"] = _grade(form.questions()[name][1], grading, answer)
        response.total_score += answer["grade"].get("score", 0)


def _grade(question: Json, grading: Json, answer: Json) -> Json:
    keys = [each["value"] for each in grading.get("correctAnswers", {}).get("answers", []) if "value" in each]
    given = [each.get("value", "") for each in answer.get("textAnswers", {}).get("answers", [])]
    if not keys:
        return _with_feedback({}, grading.get("generalFeedback"))
    if question.get("choiceQuestion", {}).get("type") == "CHECKBOX":
        correct = sorted(given) == sorted(keys)
    else:
        correct = bool(given) and given[0] in keys
    feedback = grading.get("whenRight" if correct else "whenWrong") or grading.get("generalFeedback")
    if not correct:
        return _with_feedback({}, feedback)
    points = grading.get("pointValue", 0)
    scored: Json = {"score": whole_if_whole(points)} if points else {}
    return _with_feedback({**scored, "correct": True}, feedback)


def _with_feedback(shown: Json, feedback: Json | None) -> Json:
    return {**shown, "feedback": feedback} if feedback else shown
