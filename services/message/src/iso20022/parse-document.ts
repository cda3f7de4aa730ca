import { XMLParser, XMLValidator } from 'fast-xml-parser'

/** An element's children, attributes (`@Ccy`) and text (`#text`) by name. */
export type Element = { [name: string]: unknown }

export const isElement = (value: unknown): value is Element =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The XML is refused; the message says why, worded to follow the field's name. */
export class XmlError extends Error {
  override name = 'XmlError'
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  // Entities let a small document grow large, or read a file.
  processEntities: false,
})

/** As many as a JSON body may have values: reading hundreds of thousands would keep other requests waiting. */
const mostParts = 20_000

/** The content of an ISO 20022 message's element Document. Throws XmlError when there is none. */
export function parseDocument(xml: string, messageType: string): Element {
  // A document type can declare entities. Messages have none.
  if (/<!(DOCTYPE|ENTITY)/i.test(xml)) throw new XmlError('must not have a document type')
  if (partsOf(xml) > mostParts) throw new XmlError('must not have more than 20,000 elements and attributes')
  const verdict = XMLValidator.validate(xml)
  if (verdict !== true) throw new XmlError(`is not well-formed: line ${verdict.err.line}: ${verdict.err.msg}`)
  const root = documentIn(xml)
  // The parser drops namespaces; the first one in the text is that of Document.
  const named = /["']urn:iso:std:iso:20022:tech:xsd:([a-z]{4}\.\d{3}\.\d{3}\.\d{2})["']/.exec(xml)?.[1]
  if (named && !named.startsWith(messageType)) throw new XmlError(`is a ${named}, and messageType says ${messageType}`)
  return root
}

/** The elements and attributes, by the signs that each of them has; a sign may stand in a text as well. */
function partsOf(xml: string): number {
  let parts = 0
  for (let at = xml.indexOf('<'); at >= 0; at = xml.indexOf('<', at + 1)) if (xml[at + 1] !== '/') parts += 1
  for (let at = xml.indexOf('='); at >= 0; at = xml.indexOf('=', at + 1)) parts += 1
  return parts
}

function documentIn(xml: string): Element {
  const { Document } = read(xml)
  if (isElement(Document)) return Document
  throw new XmlError('must hold one element Document')
}

function read(xml: string): Element {
  try {
    return parser.parse(xml)
  } catch (cause) {
    throw new XmlError('cannot be read', { cause })
  }
}
