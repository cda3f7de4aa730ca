import { fieldProblems, type SentFile } from '@bursar/http'
import { fileTypeFromBuffer } from 'file-type'
import { fail } from '../errors'
import type { NewDocument } from './documents'
import { type Document, DocumentFields, type UploadQuery } from './documents.model'

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

/** How many files may be read at once: each takes its size in memory some times over. */
const mostUploads = 8

/** Runs the work of an upload. Fails (503) while too many others are under way. */
export function uploadSlots(): <R>(work: () => Promise<R>) => Promise<R> {
  let underWay = 0
  return async (work) => {
    if (underWay >= mostUploads) throw fail('SERVICE_UNAVAILABLE', { headers: { 'retry-after': '1' } })
    underWay++
    try {
      return await work()
    } finally {
      underWay--
    }
  }
}

/** The files that are taken, and the endings that their names may have. */
const endings = {
  'application/pdf': ['pdf'],
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg'],
} as const satisfies Record<Document['mimeType'], readonly string[]>

const types = Object.keys(endings) as Document['mimeType'][]

/** What a file is, found in its content; undefined for one that is not taken. */
async function fileTypeOf(content: Uint8Array): Promise<Document['mimeType'] | undefined> {
  const found = await fileTypeFromBuffer(content)
  return types.find((type) => type === found?.mime)
}

/** False for a name whose ending says that the file is something else. A name without an ending says nothing. */
function isNameOf(mimeType: Document['mimeType'], fileName: string): boolean {
  const [, ending] = /\.([^./\\]+)$/.exec(fileName) ?? []
  return ending === undefined || endings[mimeType].some((each) => each === ending.toLowerCase())
}
