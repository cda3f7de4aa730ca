import { about, nullable, type Static, t, text, timestamp } from '@bursar/contracts/schema'

const FailedListUpdate = t.Object(
  { at: about('When it failed', timestamp()), origin: about('The file or URL', t.String()), reason: t.String() },
  { title: 'FailedListUpdate' },
)

/** Not in the specification: the list that screenings use, for operators. */
export const SanctionsList = t.Object(
  {
    source: about('The list’s name, such as OFAC SDN', t.String()),
    origin: about('The file or URL that it was loaded from', text(2048)),
    version: about('The publication date', t.String()),
    publishedAt: about('When it was published', timestamp()),
    loadedAt: about('When screenings began to use it; null if unknown', nullable(timestamp())),
    checksum: about('SHA-256 of the published file, in hex', nullable(t.String())),
    entries: about('The number of its addresses', t.Integer()),
    names: about('The number of its names', t.Integer()),
    ageHours: about('Whole hours since its publication', t.Integer()),
    isOld: about('Whether it is older than seven days: a newer one should be loaded', t.Boolean()),
    rescreened: about('The number of addresses that were screened again with it', t.Integer()),
    rescreenHits: about('The number of these that it lists and that were not listed before', t.Integer()),
    lastFailure: about('The last failed update since it was loaded; null for none', nullable(FailedListUpdate)),
  },
  { title: 'SanctionsList' },
)
export type SanctionsList = Static<typeof SanctionsList>
