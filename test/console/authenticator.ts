import { createHmac } from 'node:crypto'

/** An authenticator app that has this key (RFC 6238): its code now, or in half a minute. Codes half a minute off are accepted. */
export function authenticator(secret: string) {
  const letters = [...secret.replaceAll(' ', '')]
  const bits = letters.map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
  const key = Uint8Array.from(bits.join('').match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))
  return (shift: 0 | 1) => {
    const message = Buffer.alloc(8)
    message.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + shift))
    const mac = createHmac('sha1', key).update(message).digest()
    return `${(mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff) % 1_000_000}`.padStart(6, '0')
  }
}
