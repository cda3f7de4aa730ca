import { type TSchema, Type } from '@sinclair/typebox'
import type { ErrorShape } from './error-shapes'

const timestamp = Type.String({ format: 'date-time' })
const details = (description: string) => Type.Optional(Type.Unknown({ description }))

/** The error bodies of error-shapes.ts as schemas, for the OpenAPI document. */
export const errorSchemas: Record<ErrorShape, TSchema> = {
  object: Type.Object({
    error: Type.Object(
      {
        code: Type.String({ description: 'For programs: it stays when the words of the message change' }),
        message: Type.String(),
        details: details('`{field, message}` of each field that was refused, or what else is known'),
        requestId: Type.String(),
        timestamp,
      },
      { title: 'Problem', description: 'What went wrong' },
    ),
  }),
  list: Type.Object({
    statusCode: Type.String({ description: 'The HTTP status as text' }),
    error: Type.Array(Type.String(), { description: 'One sentence, or one for each field that was refused' }),
    requestId: Type.String(),
    path: Type.String(),
    timestamp,
  }),
  message: Type.Object({
    statusCode: Type.Integer({ description: 'The HTTP status' }),
    message: Type.Union([Type.String(), Type.Array(Type.String())], {
      description: 'One sentence; a list of them where fields were refused',
    }),
    error: Type.String({ description: 'The name of the HTTP status' }),
    details: details('What else is known'),
    timestamp,
    path: Type.String(),
  }),
}
