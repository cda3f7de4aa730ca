const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\b(Headless)?Chrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: readonly (readonly [RegExp, string])[] = [
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

const nameIn = (text: string, known: typeof browsers): string | undefined =>
  known.find(([pattern]) => pattern.test(text))?.[1]

/** The program that opened a session, by its user agent: `Firefox on Linux`; a program's own name otherwise. */
export function programOf(userAgent: string | null): string {
  if (!userAgent) return 'Unknown program'
  const [browser, system] = [nameIn(userAgent, browsers), nameIn(userAgent, systems)]
  if (browser) return system ? `${browser} on ${system}` : browser
  return userAgent.split(/[\s/]/)[0] || 'Unknown program'
}
