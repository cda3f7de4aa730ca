import type { ListEntry, ListedName } from '@bursar/contracts/sanctions'
import { isIsoTime } from '@bursar/contracts/schema'
import { SaxesParser } from 'saxes'
import { withoutUnseen } from '../addresses/screening-key'

/** The file is not a reliable list; the message says why. */
export class ListFileError extends Error {
  override name = 'ListFileError'
}

const addressType = /^Digital Currency Address - (.{1,32})$/
/** What says that an id is an address, however the rest is written. */
const anyAddressType = /digital\s+currency/i

/** The texts of an element's parts, by their names. */
type Parts = Map<string, string>

/** A record while it is parsed: its own parts, its ids and its aliases. */
interface SdnRecord {
  own: Parts
  ids: Parts[]
  akas: Parts[]
}

/**
 * Parses OFAC's list in its published form (sdn.xml), a piece at a time: `write` the text as it arrives, then `end`, which
 * gives the numbers of records (persons and entities of all kinds, with an address or without), addresses and names. Calls
 * back with each digital-currency address, and with each name of a person or organisation. Both throw ListFileError for
 * any other content; `end` also when records (a truncated file), the date or all addresses are missing.
 */
export function sdnParser(onEntry: (entry: ListEntry) => void, onName: (name: ListedName) => void) {
  const parser = new SaxesParser({ position: true })
  const path: string[] = []
  /** What the elements of the path collect. */
  const open: (Parts | undefined)[] = []
  const published: Parts = new Map()
  let text = ''
  let record: SdnRecord = { own: new Map(), ids: [], akas: [] }
  let records = 0
  let addresses = 0
  let names = 0

  function partsAt(place: string): Parts | undefined {
    if (place === 'sdnList/publshInformation') return published
    if (place === 'sdnList/sdnEntry/idList/id') return added(record.ids)
    if (place === 'sdnList/sdnEntry/akaList/aka') return added(record.akas)
    if (place !== 'sdnList/sdnEntry') return undefined
    record = { own: new Map(), ids: [], akas: [] }
    return record.own
  }
  function finish() {
    records += 1
    for (const entry of entriesOf(record)) {
      addresses += 1
      onEntry(entry)
    }
    for (const name of namesOf(record)) {
      names += 1
      onName(name)
    }
  }
  parser.on('error', (error) => {
    throw new ListFileError(`The file is not well-formed: ${error.message}`)
  })
  parser.on('doctype', () => {
    throw new ListFileError('The file has a document type, which the published list has not')
  })
  const read = (part: string) => {
    text += part
  }
  parser.on('text', read)
  parser.on('cdata', read)
  parser.on('opentag', ({ name }) => {
    // Namespace prefixes are arbitrary.
    path.push(name.slice(name.indexOf(':') + 1))
    text = ''
    const place = path.join('/')
    if (path.length === 1 && place !== 'sdnList') {
      throw new ListFileError(`The file is no SDN list: its root is ${place}, not sdnList`)
    }
    open.push(partsAt(place))
  })
  parser.on('closetag', () => {
    if (path.join('/') === 'sdnList/sdnEntry') finish()
    const name = path.pop() ?? ''
    open.pop()
    open.at(-1)?.set(name, text.trim())
    text = ''
  })

  return {
    write: (part: string) => void parser.write(part),
    end() {
      parser.close()
      const expected = published.get('Record_Count')
      if (expected !== String(records)) {
        throw new ListFileError(`The file has ${records} records and says that it has ${expected || 'none'}`)
      }
      if (addresses === 0) throw new ListFileError('The file lists no digital-currency address')
      return { publishedAt: isoDate(published.get('Publish_Date') ?? ''), records, addresses, names }
    },
  }
}

function added(all: Parts[]): Parts {
  const parts: Parts = new Map()
  all.push(parts)
  return parts
}

function entriesOf({ own, ids }: SdnRecord): ListEntry[] {
  const name = wholeName(own)
  const entryId = own.get('uid') ?? ''
  return ids.flatMap((id) => {
    const idType = id.get('idType') ?? ''
    const asset = addressType.exec(idType)?.[1]
    if (asset === undefined && anyAddressType.test(idType))
      throw new ListFileError(`An entry has an address of an unknown form (${idType.slice(0, 100)}): ${name}`)
    if (asset === undefined) return []
    const address = withoutUnseen(id.get('idNumber') ?? '')
    if (entryId === '' || address === '')
      throw new ListFileError(`An entry has an address without uid or number: ${name}`)
    return [{ entryId, asset, address, name: name.slice(0, 500) || null }]
  })
}

/** The names of persons and organisations. OFAC itself considers weak aliases too broad for screening. */
function namesOf({ own, akas }: SdnRecord): ListedName[] {
  if (/^(Vessel|Aircraft)$/.test(own.get('sdnType') ?? '')) return []
  const strong = akas.filter((aka) => aka.get('category') !== 'weak')
  const names = [own, ...strong].map((parts) => wholeName(parts).slice(0, 500))
  const given = [...new Set(names)].filter((name) => name !== '')
  const entryId = own.get('uid') ?? ''
  if (entryId === '' && given.length > 0) throw new ListFileError(`An entry has a name without uid: ${given[0]}`)
  return given.map((name) => ({ entryId, name }))
}

const wholeName = (parts: Parts): string =>
  [parts.get('firstName') ?? '', parts.get('lastName') ?? '']
    .map((part) => part.replaceAll(/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, ' ').trim())
    .filter((part) => part !== '')
    .join(' ')

/** OFAC writes its dates as `09/27/2024`. */
function isoDate(published: string): string {
  const [, month, day, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(published) ?? []
  const date = `${year}-${month}-${day}T00:00:00.000Z`
  if (!isIsoTime(date)) throw new ListFileError('The file does not say when it was published')
  return date
}
