import { about, oneOf, t } from '@bursar/contracts/schema'
import { mostCounted } from '@bursar/store'
import { queryBoolean, queryUuid } from './query'

/** How a long list is read part by part, whatever is added meanwhile; for the query of a list whose order is its age. */
export const keysetQuery = {
  order: t.Optional(about('`asc`: oldest first; `desc`: newest first', oneOf(['asc', 'desc']))),
  after: t.Optional(about('The id of the last record that is known: those behind it in the list follow', queryUuid())),
  count: t.Optional(
    about(
      '`true`: the header x-total-count says how many records pass the filters, `100000+` for more than it counts',
      queryBoolean(),
    ),
  ),
}

/** The header that says how many records pass the filters. */
export const totalHeader = 'x-total-count'

/** What that header says of a count: its number, or that there are more than are counted. */
export const totalText = (total: number): string => (total > mostCounted ? `${mostCounted}+` : String(total))
