/** The SHA-256 of a text in UTF-8, or of bytes. */
export const sha256 = (content: string | Uint8Array, as: 'hex' | 'base64' | 'base64url' = 'hex'): string =>
  Bun.SHA256.hash(content, as)
