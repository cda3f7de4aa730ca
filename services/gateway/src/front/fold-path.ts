import { fail } from '../errors'

/** Segments of ordinary characters that begin with no dot: nothing of them can be meant otherwise. */
const plain = /^(?:\/[A-Za-z0-9_~:@-][A-Za-z0-9_.~:@-]*)+$/

/**
 * A path in the one form that is decided on and sent on: no dot segments (also written `%2e`), no empty ones, `/` for
 * `\`, no fragment. Fails (400) for what no path can be: a broken escape, a control character, and an encoded slash
 * that would make a dot segment or an empty one of its neighbours.
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

/** A segment may hold an encoded slash, as part of a reference; not one that hides another path. */
function checked(segment: string, decoded: string): string {
  if (controls.test(decoded)) throw fail('INVALID_REQUEST', { message: 'The path holds a control character' })
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
    throw fail('INVALID_REQUEST', { message: 'The path holds a % that begins no character', cause })
  }
}
