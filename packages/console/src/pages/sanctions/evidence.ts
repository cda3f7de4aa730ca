/** A source's result as the page shows it; the form of the service's evidence differs by source. */
export interface Finding {
  /** The party's address, if a transaction was screened; null for the screened address itself. */
  party: string | null
  isMatch: boolean
  /** The source's list; null if it has none. */
  list: { name: string; version: string; ageDays: number | null; checksum: string } | null
  matches: Match[]
}

export interface Match {
  /** The owner of the address, as named by the source. */
  name: string
  /** Its identification: the list's entry, or the source's category. */
  detail: string
  /** A link to more about it. */
  url: string | null
}

type Fields = Record<string, unknown>
const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})
const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : [])
const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/** A source's findings: one, or one for each party of a transaction. */
export function findingsOf({ match, details }: { match: boolean; details: Fields }): Finding[] {
  const parties = listOf(details.parties)
  if (parties.length === 0) return [findingOf(details, match, null)]
  return parties.map((party) => findingOf(party, party.match === true, text(party.address)))
}

function findingOf(details: Fields, isMatch: boolean, party: string | null): Finding {
  const hasList = text(details.list) !== ''
  return {
    party,
    isMatch,
    list: hasList
      ? {
          name: text(details.list),
          version: text(details.version),
          ageDays: typeof details.ageDays === 'number' ? details.ageDays : null,
          checksum: text(details.checksum),
        }
      : null,
    matches: [...listOf(details.matches).map(entryOf), ...listOf(details.identifications).map(identificationOf)],
  }
}

/** The list that comes with the service has no ids: its entries are named by their address. */
const entryOf = ({ entryId, asset, address, name }: Fields): Match => {
  const hasId = text(entryId) !== '' && !(text(address) !== '' && text(entryId).endsWith(text(address)))
  return {
    name: text(name) || 'Not named by the list',
    detail: [hasId ? `entry ${text(entryId)}` : '', text(asset)].filter((part) => part !== '').join(' · '),
    url: null,
  }
}
const identificationOf = ({ category, name, description, url }: Fields): Match => ({
  name: text(name) || text(category),
  detail: [text(category), text(description)].filter((part) => part !== '').join(' · '),
  url: /^https?:/.test(text(url)) ? text(url) : null,
})
