"""The classification that a failing tool puts into _meta of its result."""
import uuid


def tool_failure() -> dict:
    return {
        "io.modelcontextprotocol/toolFailure": {
            "class": "reliability",
            "code": "retryable_transient_error",
            "retryable": True,
            "correlationId": str(uuid.uuid4()),
        }
    }
