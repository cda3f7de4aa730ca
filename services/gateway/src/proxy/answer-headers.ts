/** Headers of one connection only, besides those that `Connection` names (RFC 9110, 7.6.1). */
const ofConnection = [
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

/** Turns a service's headers into the gateway's: without those of the connection to the service, with our own. */
export function completeHeaders(headers: Headers, own: Readonly<Record<string, string>>): void {
  const connection = headers.get('connection')
  if (connection !== null) {
    for (const name of connection.split(',')) if (token.test(name.trim())) headers.delete(name.trim())
    headers.delete('connection')
  }
  for (const name of ofConnection) if (headers.has(name)) headers.delete(name)
  for (const name in own) {
    const value = own[name] as string
    // A service answers with the request's id itself; a look costs less than a change.
    if (headers.get(name) !== value) headers.set(name, value)
  }
}

/** Valid header names; `delete` throws for any other. */
const token = /^[\w!#$%&'*+.^`|~-]+$/
