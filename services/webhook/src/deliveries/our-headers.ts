/** The headers of an attempt that the service sets (Standard Webhooks); unsigned without a secret. */
export const ourHeaders = ({ id, at, signature }: { id: string; at: Date; signature: string | null }) => ({
  'content-type': 'application/json',
  'webhook-id': id,
  'webhook-timestamp': timestampOf(at),
  ...(signature === null ? {} : { 'webhook-signature': signature }),
})

/** The value of `webhook-timestamp`: seconds since 1970. */
export const timestampOf = (at: Date): string => String(Math.floor(at.getTime() / 1000))
