import { jsonObject, type Static, t } from '@bursar/contracts/schema'
import type { FieldProblem } from '@bursar/http'
import { missingElements } from './mandatory-elements'
import { type Element, isElement, parseDocument, XmlError } from './parse-document'

/** The data of an ISO 20022 message: its type and the message itself, as XML or as an object. */
export const Iso20022Data = t.Object({
  messageType: t.String({
    pattern: '^[a-z]{4}\\.\\d{3}(\\.\\d{3}\\.\\d{2})?$',
    patternProblem: 'must be the name of an ISO 20022 message, such as pacs.008 or pacs.008.001.08',
  }),
  xml: t.Optional(t.String({ minLength: 1, maxLength: 512 * 1024 })),
  document: t.Optional(jsonObject()),
})

/** The problems of an ISO 20022 message whose fields are valid; empty when there are none. */
export function checkIso20022({ messageType, xml, document }: Static<typeof Iso20022Data>): FieldProblem[] {
  if ((xml === undefined) === (document === undefined)) {
    return [{ field: 'xml', message: 'xml or document must be given, and not both' }]
  }
  const field = xml === undefined ? 'document' : 'xml'
  const problem = (words: string): FieldProblem => ({ field, message: `${field} ${words}` })
  try {
    const root = xml === undefined ? rootOf(document as Element) : parseDocument(xml, messageType)
    return missingElements(messageType, root).map((path) => problem(`lacks the mandatory element ${path}`))
  } catch (error) {
    if (error instanceof XmlError) return [problem(error.message)]
    throw error
  }
}

/** An object may be the element Document or its content. */
const rootOf = (document: Element): Element => (isElement(document.Document) ? document.Document : document)
