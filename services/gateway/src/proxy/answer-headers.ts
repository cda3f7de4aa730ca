/** Headers that concern one connection alone (RFC 9110, 7.6.1). */
const ofConnection = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

/** Makes a service's answer the gateway's: without what concerned the connection to the service, with what is ours. */
export function completeHeaders(headers: Headers, own: Readonly<Record<string, string>>): void {
  for (const name of ofConnection) if (headers.has(name)) headers.delete(name)
  for (const name in own) headers.set(name, own[name] as string)
}
