//! A call as it goes over the wire.

use askdeck_core::protocol::{Call, JsonRpc, MAX_BYTES, Request};

use super::ClientError;

pub(super) fn line(id: u64, call: Call) -> Result<Vec<u8>, ClientError> {
    let request = Request { jsonrpc: JsonRpc::V2, id: id.into(), call };
    let mut line =
        serde_json::to_vec(&request).map_err(|error| ClientError::Unexpected(error.to_string()))?;
    line.push(b'\n');
    if line.len() > MAX_BYTES {
        return Err(ClientError::TooLarge(line.len()));
    }
    Ok(line)
}
