import { type Element, isElement } from './parse-document'

const groupHeader = ['GrpHdr/MsgId', 'GrpHdr/CreDtTm', 'GrpHdr/NbOfTxs', 'GrpHdr/SttlmInf/SttlmMtd']
const amount = ['IntrBkSttlmAmt', 'IntrBkSttlmAmt/@Ccy']

interface Mandatory {
  /** The message's element; some have another name in older versions. */
  roots: readonly string[]
  /** Paths below it. */
  paths: readonly string[]
  /** Paths below each of its repeated elements; at least one of these is mandatory. */
  each: { element: string; paths: readonly string[] }
}

/** The mandatory elements of a message, by the first two parts of its name (from the ISO 20022 definitions). */
const messages = new Map<string, Mandatory>(
  Object.entries({
    'pacs.008': {
      roots: ['FIToFICstmrCdtTrf'],
      paths: groupHeader,
      each: {
        element: 'CdtTrfTxInf',
        paths: ['PmtId/EndToEndId', ...amount, 'ChrgBr', 'Dbtr', 'DbtrAgt', 'CdtrAgt', 'Cdtr'],
      },
    },
    'pacs.009': {
      roots: ['FICdtTrf', 'FinInstnCdtTrf'],
      paths: groupHeader,
      each: { element: 'CdtTrfTxInf', paths: ['PmtId/EndToEndId', ...amount, 'Dbtr', 'Cdtr'] },
    },
    'camt.053': {
      roots: ['BkToCstmrStmt'],
      paths: ['GrpHdr/MsgId', 'GrpHdr/CreDtTm'],
      each: {
        element: 'Stmt',
        paths: ['Id', 'Acct/Id', 'Bal/Tp', 'Bal/Amt', 'Bal/Amt/@Ccy', 'Bal/CdtDbtInd', 'Bal/Dt'],
      },
    },
  }),
)

/** The maximum number of paths that an answer names: the caller corrects these and sends the message again. */
const mostNamed = 50

/**
 * The mandatory elements that a message lacks, as paths. Empty for a message whose definition is not known here. Every
 * repetition of an element is checked.
 */
export function missingElements(messageType: string, document: Element): string[] {
  const mandatory = messages.get(messageType.slice(0, 8))
  if (!mandatory) return []
  const { roots, paths, each } = mandatory
  const root = roots.find((name) => isElement(document[name]))
  if (root === undefined) return [roots[0] ?? '']
  const message = document[root] as Element
  const missing = paths.filter((path) => !has(message, path.split('/'))).map((path) => `${root}/${path}`)
  const repeated = listOf(message[each.element])
  if (repeated.length === 0) missing.push(`${root}/${each.element}`)
  for (const [place, element] of repeated.entries()) {
    if (missing.length >= mostNamed) break
    const name = `${root}/${each.element}${repeated.length > 1 ? `[${place + 1}]` : ''}`
    missing.push(...each.paths.filter((path) => !has(element, path.split('/'))).map((path) => `${name}/${path}`))
  }
  return missing.slice(0, mostNamed)
}

/** Whether the element has the path, in each repetition. An empty element counts as missing. */
function has(element: unknown, path: readonly string[]): boolean {
  const [name, ...rest] = path
  if (name === undefined) return isGiven(element)
  if (!isElement(element)) return false
  const children = listOf(element[name])
  return children.length > 0 && children.every((child) => has(child, rest))
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value])

/** Text, a number, or an element with content. */
const isGiven = (value: unknown): boolean =>
  isElement(value) ? Object.keys(value).length > 0 : value !== null && String(value).trim() !== ''
