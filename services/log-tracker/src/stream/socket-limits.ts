/** The maximum unread data of a reader; a slower reader is dropped to free its memory. */
export const mostBufferedBytes = 1024 * 1024

export const tooSlow = 'This reader is too slow: messages were dropped'

/**
 * The limits of all WebSockets of this server. Readers need not send anything. No compression: it costs memory for each
 * socket, and a small frame could unpack to a large one. A slow reader is dropped by the stream before the server's
 * own limit is reached.
 */
export const socketLimits = {
  maxPayloadLength: 1024,
  perMessageDeflate: false,
  backpressureLimit: 2 * mostBufferedBytes,
  closeOnBackpressureLimit: true,
}
