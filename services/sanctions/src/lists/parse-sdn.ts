import type { ListEntry, ListedName } from '@bursar/contracts/sanctions'
import { isIsoTime } from '@bursar/contracts/schema'
import { SaxesParser } from 'saxes'
import { withoutUnseen } from '../addresses/screening-key'

/** The contents of a list file besides the addresses. */
export interface SdnSummary {
  publishedAt: string
  /** Persons and entities of all kinds, with an address or without. */
  records: number
  addresses: number
  names: number
}

/** The file is not a reliable list; the message says why. */
export class ListFileError extends Error {
  override name = 'ListFileError'
}

const addressType = /^Digital Currency Address - (.{1,32})$/
/** What says that an id is an address, however the rest is written. */
const anyAddressType = /digital\s+currency/i

/** A record while it is parsed. */
interface SdnRecord {
  uid: string
  firstName: string
  lastName: string
  /** Individual, Entity, Vessel or Aircraft. */
  type: string
  ids: { idType: string; idNumber: string }[]
  /** Its aliases. */
  akas: { category: string; firstName: string; lastName: string }[]
}

/**
 * Parses OFAC's list in its published form (sdn.xml), a piece at a time: `write` the text as it arrives, then `end`.
 * Calls back with each digital-currency address, and with each name of a person or organisation. Both throw
 * ListFileError for any other content; `end` also when records (a truncated file), the date or all addresses are
 * missing.
 */
export function sdnParser(onEntry: (entry: ListEntry) => void, onName: (name: ListedName) => void) {
  const parser = new SaxesParser({ position: true })
  const path: string[] = []
  let text = ''
  let record: SdnRecord = emptyRecord()
  let published = ''
  let expected = ''
  let records = 0
  let addresses = 0
  let names = 0

  const finish: { [element: string]: () => void } = {
    'sdnList/publshInformation/Publish_Date': () => (published = text.trim()),
    'sdnList/publshInformation/Record_Count': () => (expected = text.trim()),
    'sdnList/sdnEntry/uid': () => (record.uid = text.trim()),
    'sdnList/sdnEntry/firstName': () => (record.firstName = text.trim()),
    'sdnList/sdnEntry/lastName': () => (record.lastName = text.trim()),
    'sdnList/sdnEntry/sdnType': () => (record.type = text.trim()),
    'sdnList/sdnEntry/akaList/aka/category': () => (lastAka(record).category = text.trim()),
    'sdnList/sdnEntry/akaList/aka/firstName': () => (lastAka(record).firstName = text.trim()),
    'sdnList/sdnEntry/akaList/aka/lastName': () => (lastAka(record).lastName = text.trim()),
    'sdnList/sdnEntry/idList/id/idType': () => (lastId(record).idType = text.trim()),
    'sdnList/sdnEntry/idList/id/idNumber': () => (lastId(record).idNumber = withoutUnseen(text)),
    'sdnList/sdnEntry': () => {
      records += 1
      for (const entry of entriesOf(record)) {
        addresses += 1
        onEntry(entry)
      }
      for (const name of namesOf(record)) {
        names += 1
        onName(name)
      }
    },
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
    if (place === 'sdnList/sdnEntry') record = emptyRecord()
    if (place === 'sdnList/sdnEntry/idList/id') record.ids.push({ idType: '', idNumber: '' })
    if (place === 'sdnList/sdnEntry/akaList/aka') record.akas.push({ category: '', firstName: '', lastName: '' })
  })
  parser.on('closetag', () => {
    finish[path.join('/')]?.()
    path.pop()
    text = ''
  })

  return {
    write: (part: string) => void parser.write(part),
    end(): SdnSummary {
      parser.close()
      if (expected !== String(records)) {
        throw new ListFileError(`The file has ${records} records and says that it has ${expected || 'none'}`)
      }
      if (addresses === 0) throw new ListFileError('The file lists no digital-currency address')
      return { publishedAt: isoDate(published), records, addresses, names }
    },
  }
}

const emptyRecord = (): SdnRecord => ({ uid: '', firstName: '', lastName: '', type: '', ids: [], akas: [] })

const lastId = ({ ids }: SdnRecord) => ids.at(-1) ?? { idType: '', idNumber: '' }

const lastAka = ({ akas }: SdnRecord) => akas.at(-1) ?? { category: '', firstName: '', lastName: '' }

function entriesOf({ uid, firstName, lastName, ids }: SdnRecord): ListEntry[] {
  const name = wholeName({ firstName, lastName })
  return ids.flatMap(({ idType, idNumber }) => {
    const asset = addressType.exec(idType)?.[1]
    if (asset === undefined && anyAddressType.test(idType))
      throw new ListFileError(`An entry has an address of an unknown form (${idType.slice(0, 100)}): ${name}`)
    if (asset === undefined) return []
    if (uid === '' || idNumber === '') throw new ListFileError(`An entry has an address without uid or number: ${name}`)
    return [{ entryId: uid, asset, address: idNumber, name: name.slice(0, 500) || null }]
  })
}

/** The names of persons and organisations. OFAC itself considers weak aliases too broad for screening. */
function namesOf({ uid, firstName, lastName, type, akas }: SdnRecord): ListedName[] {
  if (type === 'Vessel' || type === 'Aircraft') return []
  const strong = akas.filter(({ category }) => category !== 'weak')
  const names = [{ firstName, lastName }, ...strong].map((name) => wholeName(name).slice(0, 500))
  const given = [...new Set(names)].filter((name) => name !== '')
  if (uid === '' && given.length > 0) throw new ListFileError(`An entry has a name without uid: ${given[0]}`)
  return given.map((name) => ({ entryId: uid, name }))
}

const wholeName = ({ firstName, lastName }: { firstName: string; lastName: string }): string =>
  [firstName, lastName]
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
