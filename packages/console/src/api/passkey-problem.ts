type Place = Pick<Location, 'hostname' | 'port'>

/** Why no passkey can be used in this page; null where one can. Browsers make passkeys for names, never for numbers. */
export function passkeyProblem({ hostname, port }: Place = location, isKnown = 'PublicKeyCredential' in globalThis) {
  if (/^127\.|^\[::1\]$/.test(hostname)) return `Passkeys work at http://localhost${port && `:${port}`}/console.`
  if (/^[\d.]+$|^\[/.test(hostname))
    return 'Passkeys need a host name: open the console by its name, not by an IP address.'
  return isKnown ? null : 'This browser does not support passkeys.'
}
