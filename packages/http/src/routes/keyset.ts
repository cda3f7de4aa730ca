import { about, oneOf, t } from '@bursar/contracts/schema'
import { queryBoolean, queryUuid } from './query'

/** How a long list is read part by part, whatever is added meanwhile; for the query of a list whose order is its age. */
export const keysetQuery = {
  order: t.Optional(about('`asc`: oldest first; `desc`: newest first', oneOf(['asc', 'desc']))),
  after: t.Optional(about('The id of the last record that is known: those behind it in the list follow', queryUuid())),
  count: t.Optional(about('`true`: the header x-total-count says how many records pass the filters', queryBoolean())),
}

/** The header that says how many records pass the filters. */
export const totalHeader = 'x-total-count'
