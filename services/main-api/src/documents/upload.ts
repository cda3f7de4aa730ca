import { fieldProblems, type SentFile } from '@bursar/http'
import { fail } from '../errors'
import type { NewDocument } from './documents'
import { DocumentFields, type UploadQuery } from './documents.model'
import { fileTypeOf, isNameOf } from './file-types'

/** Whose document it is, and who sends it. */
interface Sender {
  participantId: string
  /** Null where that is not known. */
  uploadedBy: string | null
}

/**
 * A sent file as a document. What it is its content alone decides. Fails (400) when it is empty, no PDF, PNG or JPEG,
 * has a name that says otherwise, or does not say what it is for.
 */
export async function checkedDocument(
  { content, fileName, fields }: SentFile,
  query: UploadQuery,
  sender: Sender,
): Promise<NewDocument> {
  const described = { type: fields.type ?? query.type, fileName: fields.fileName ?? query.fileName ?? fileName }
  const { type, fileName: name } = checkedFields(described)
  if (content.length === 0) throw refusedFile('The file is empty')
  const mimeType = await fileTypeOf(content)
  if (mimeType === undefined) throw refusedFile('The file is no PDF, PNG or JPEG')
  if (!isNameOf(mimeType, name)) throw refusedFile(`The file is ${mimeType}, and its name says otherwise`)
  const sha256 = Bun.SHA256.hash(content, 'hex')
  return { ...sender, type, fileName: name, mimeType, size: content.length, sha256, content }
}

function checkedFields(described: { type: string | undefined; fileName: string | null }): DocumentFields {
  const fields = { ...described, fileName: described.fileName ?? undefined }
  const problems = fieldProblems(DocumentFields, fields)
  if (problems.length === 0) return fields as DocumentFields
  throw fail('INVALID_REQUEST', { message: problems.map(({ message }) => message).join('; '), fields: problems })
}

const refusedFile = (message: string) => fail('INVALID_REQUEST', { message, fields: [{ field: 'file', message }] })
