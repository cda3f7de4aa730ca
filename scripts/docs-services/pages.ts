import { serviceNames } from '@bursar/contracts/services'
import { indexPage } from './index-page'
import { generatedPart, mark, type Sources } from './service-page'

/** A page of docs/services as it is and as it should be. */
export interface Page {
  path: string
  current: string
  expected: string
}

/** All pages. The written part of a page, before the mark, stays. */
export function servicePages(read: (path: string) => string | undefined, sources: Sources): Page[] {
  const pages = serviceNames.map((name) => {
    const path = `docs/services/${name}.md`
    const current = read(path) ?? ''
    const [written = ''] = (current || `# ${name}\n`).split(mark)
    return { path, current, expected: `${written.trimEnd()}\n\n${mark}\n\n${generatedPart(name, sources)}\n` }
  })
  const path = 'docs/services/README.md'
  return [{ path, current: read(path) ?? '', expected: indexPage(sources) }, ...pages]
}
