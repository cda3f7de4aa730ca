type Place = Pick<Location, 'hostname' | 'port'>

/** Why no passkey can be used in this page; null where one can. Browsers make passkeys for names, never for numbers. */
export function passkeyProblem({ hostname, port }: Place = location, isKnown = 'PublicKeyCredential' in globalThis) {
  if (/^127\.|^\[::1\]$/.test(hostname)) return `Passkeys work at http://localhost${port && `:${port}`}/console.`
  if (/^[\d.]+$|^\[/.test(hostname)) return 'Passkeys work where the console is opened by its name, not by a number.'
  return isKnown ? null : 'This browser has no passkeys.'
}
