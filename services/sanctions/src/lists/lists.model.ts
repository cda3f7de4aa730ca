import { about, nullable, type Static, t, text, timestamp } from '@bursar/contracts/schema'

/** Ours: a list that screenings use, as people need to know it. */
export const SanctionsList = t.Object(
  {
    source: about('Whose list it is, such as OFAC SDN', t.String()),
    origin: about('The file or URL that it came from', text(2048)),
    version: about('The day that its publisher published it', t.String()),
    publishedAt: about('When its publisher published it', timestamp()),
    loadedAt: about('Since when screenings use it; null where that is not known', nullable(timestamp())),
    checksum: about('SHA-256 of what was published, in hex', nullable(t.String())),
    entries: about('How many addresses it has', t.Integer()),
    names: about('How many names it has', t.Integer()),
    ageHours: about('How many whole hours ago it was published', t.Integer()),
    isOld: about('Whether it is older than seven days: a newer one should be loaded', t.Boolean()),
    rescreened: about('How many addresses were screened against it anew', t.Integer()),
    rescreenHits: about('How many of them it lists that were not listed before', t.Integer()),
    lastFailure: about(
      'The last update that did not come about since it was loaded; null for none',
      nullable(
        t.Object(
          {
            at: about('When it failed', timestamp()),
            origin: about('The file or URL', t.String()),
            reason: t.String(),
          },
          { title: 'FailedListUpdate' },
        ),
      ),
    ),
  },
  { title: 'SanctionsList' },
)
export type SanctionsList = Static<typeof SanctionsList>
