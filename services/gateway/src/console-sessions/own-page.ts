import { fail } from '../errors'

const reads = new Set(['GET', 'HEAD'])

/**
 * Refuses (403) what pages of others could have made a browser send: every write must come from a page of this very
 * origin, by its script (which alone can set `x-console`); a read must not come from another site.
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
