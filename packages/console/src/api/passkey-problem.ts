type Place = Pick<Location, 'hostname' | 'port'>

/** Why this page cannot use passkeys; null if it can. Browsers allow passkeys for host names only. */
export function passkeyProblem({ hostname, port }: Place = location, isKnown = 'PublicKeyCredential' in globalThis) {
  if (/^127\.|^\[::1\]$/.test(hostname)) return `Passkeys work at http://localhost${port && `:${port}`}/console.`
  if (/^[\d.]+$|^\[/.test(hostname))
    return 'Passkeys need a host name: open the console by its name, not by an IP address.'
  return isKnown ? null : 'This browser does not support passkeys.'
}
