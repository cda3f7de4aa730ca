import { fail } from '../errors'

/** Segments of ordinary characters without a leading dot, which are unambiguous. */
const plain = /^(?:\/[A-Za-z0-9_~:@-][A-Za-z0-9_.~:@-]*)+$/

/**
 * The normalised path, both checked and forwarded: no dot segments (also written `%2e`), no empty ones, `/` for
 * `\`, no fragment. Fails (400) for an invalid path: a broken escape, a control character, and an encoded slash
 * that would turn its neighbours into dot or empty segments.
 */
export function foldPath(path: string): string {
  return plain.test(path) ? path : `/${foldedSegments(path).join('/')}`
}

function foldedSegments(path: string): string[] {
  const folded: string[] = []
  for (const segment of withoutFragment(path).replaceAll('\\', '/').split('/')) {
    const decoded = decode(segment)
    if (decoded === '' || decoded === '.') continue
    if (decoded === '..') folded.pop()
    else folded.push(checked(segment, decoded))
  }
  return folded
}

const withoutFragment = (path: string): string => path.split('#', 1)[0] ?? ''

/** A segment may contain an encoded slash, as part of a reference, but not one that hides another path. */
function checked(segment: string, decoded: string): string {
  if (controls.test(decoded)) throw fail('INVALID_REQUEST', { message: 'The path contains a control character' })
  const parts = decoded.split(/[/\\]/)
  if (parts.length > 1 && parts.some((part) => /^\.{0,2}$/.test(part))) {
    throw fail('INVALID_REQUEST', { message: 'The path hides another one behind an encoded slash' })
  }
  return segment
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\u0000-\u001f\u007f]/

/** Decodes a segment. Fails (400) when its escapes are broken. */
export function decode(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch (cause) {
    throw fail('INVALID_REQUEST', { message: 'The path contains an invalid % escape', cause })
  }
}
