import { type Static, type TSchema, t, text } from '@bursar/contracts/schema'
import { type FieldProblem, fieldProblems } from '@bursar/http'
import { checkIso20022, Iso20022Data } from '../iso20022/check-iso20022'
import type { MessageType } from './messages.model'

const words = (maxLength: number) => t.String({ minLength: 1, maxLength })

const TextData = t.Object({ text: words(100_000) })
const RfiData = t.Object({ subject: text(500), questions: t.Array(words(10_000), { minItems: 1, maxItems: 100 }) })

/**
 * The problems of a message's data for its type: JSON allows any object, TEXT `{text}`, RFI `{subject, questions[]}`,
 * ISO20022 `{messageType, xml}` or `{messageType, document}`. Empty when there are none.
 */
export function checkData(type: MessageType, data: Record<string, unknown>): FieldProblem[] {
  switch (type) {
    case 'JSON':
      return []
    case 'TEXT':
      return within(TextData, data)
    case 'RFI':
      return within(RfiData, data)
    case 'ISO20022': {
      const problems = within(Iso20022Data, data)
      return problems.length > 0 ? problems : inData(checkIso20022(data as Static<typeof Iso20022Data>))
    }
  }
}

const within = (schema: TSchema, data: unknown): FieldProblem[] => inData(fieldProblems(schema, data))

const inData = (problems: FieldProblem[]): FieldProblem[] =>
  problems.map(({ field, message }) => ({ field: `data.${field}`, message: `data.${message}` }))
