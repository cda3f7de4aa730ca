import { about, oneOf, t } from '@bursar/contracts/schema'
import { mostCounted } from '@bursar/store'
import { queryBoolean, queryUuid } from './query'

/** The query of a list in order of age: a long list is read page by page, unaffected by rows added meanwhile. */
export const keysetQuery = {
  order: t.Optional(about('`asc`: oldest first; `desc`: newest first', oneOf(['asc', 'desc']))),
  after: t.Optional(about('The id of the last record of the page before: the page begins after it', queryUuid())),
  count: t.Optional(
    about(
      '`true`: the header x-total-count gives the number of matching records, `100000+` for more than it counts',
      queryBoolean(),
    ),
  ),
}

/** The header with the number of records that match the filters. */
export const totalHeader = 'x-total-count'

/** The header's value for a count: the number, or that there are more than are counted. */
export const totalText = (total: number): string => (total > mostCounted ? `${mostCounted}+` : String(total))
