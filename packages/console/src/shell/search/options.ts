import { toWords } from '../../format/words'
import { hitPage } from './hit-page'
import type { Hit } from './search-query'

/** A line of the search: a record, or a page of the console. */
export interface SearchOption {
  key: string
  href: string
  kind: string
  title: string
  detail: string
  status: string | null
}

const mostPages = 3

/** The options: pages with a word in the title that begins with the text, then the services' results. */
export function optionsFor(
  q: string,
  hits: readonly Hit[],
  pages: readonly { path: string; title: string }[],
): SearchOption[] {
  const text = q.toLowerCase()
  const fits = ({ title }: { title: string }) => {
    const words = title.toLowerCase().split(' ')
    return words.some((_, i) => words.slice(i).join(' ').startsWith(text))
  }
  return [
    ...pages
      .filter(fits)
      .slice(0, mostPages)
      .map(({ path, title }) => ({ key: path, href: path, kind: 'Page', title, detail: '', status: null })),
    ...hits.map((hit) => ({
      key: `${hit.kind} ${hit.id}`,
      href: hitPage(hit),
      kind: toWords(hit.kind),
      title: hit.title,
      detail: hit.detail,
      status: hit.status,
    })),
  ]
}

/** The place after a step up or down, wrapping at the ends; -1 is the field itself. */
export const nextPlace = (place: number, step: 1 | -1, count: number): number =>
  count === 0 ? -1 : ((((place < 0 && step < 0 ? count : place) + step) % count) + count) % count
