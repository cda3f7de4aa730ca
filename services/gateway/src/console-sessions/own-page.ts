import { fail } from '../errors'

const reads = new Set(['GET', 'HEAD'])

/**
 * Refuses (403) cross-site requests: every write must come from a page of this
 * origin, by its script (only a script can set `x-console`); a read must not come from another site.
 */
export function requireOwnPage({ method, headers }: Request): void {
  const site = headers.get('sec-fetch-site')
  if (reads.has(method)) {
    if (site === 'cross-site' || site === 'same-site') throw fail('FORBIDDEN', { message: foreign })
    return
  }
  if (site !== 'same-origin' || headers.get('x-console') !== '1') throw fail('FORBIDDEN', { message: foreign })
}

const foreign = 'This is for the pages of the console alone, over https or on this machine'
