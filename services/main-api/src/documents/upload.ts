import { fieldProblems, type SentFile } from '@bursar/http'
import { fileTypeFromBuffer } from 'file-type'
import { badFields, fail } from '../errors'
import type { NewDocument } from './documents'
import { type Document, DocumentFields, type UploadQuery } from './documents.model'

/**
 * Reads an uploaded file as a document. The content alone decides its type. Fails (400) when it is empty, not a PDF,
 * PNG or JPEG, has a contradicting name, or lacks its purpose.
 */
export async function checkedDocument(
  { content, fileName: sentName, fields }: SentFile,
  query: UploadQuery,
  sender: Pick<NewDocument, 'participantId' | 'uploadedBy'>,
): Promise<NewDocument> {
  const fileName = fields.fileName ?? query.fileName ?? sentName ?? undefined
  const described = { type: fields.type ?? query.type, fileName }
  const problems = fieldProblems(DocumentFields, described)
  if (problems.length > 0) throw badFields(...problems)
  const { type, fileName: name } = described as DocumentFields
  if (content.length === 0) throw refusedFile('The file is empty')
  const mimeType = await fileTypeOf(content)
  if (mimeType === undefined) throw refusedFile('The file is not a PDF, PNG or JPEG')
  if (!isNameOf(mimeType, name)) throw refusedFile(`The file is ${mimeType}, but its name says otherwise`)
  const sha256 = Bun.SHA256.hash(content, 'hex')
  return { ...sender, type, fileName: name, mimeType, size: content.length, sha256, content }
}

const refusedFile = (message: string) => badFields({ field: 'file', message })

/** Files read concurrently: each takes several times its size in memory. */
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

/** The accepted types, and the extensions of their names. */
const endings = {
  'application/pdf': ['pdf'],
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg'],
} as const satisfies Record<Document['mimeType'], readonly string[]>

const types = Object.keys(endings) as Document['mimeType'][]

/** The type of a file, detected from its content; undefined for an unsupported one. */
async function fileTypeOf(content: Uint8Array): Promise<Document['mimeType'] | undefined> {
  const found = await fileTypeFromBuffer(content)
  return types.find((type) => type === found?.mime)
}

/** Whether the name's extension agrees with the type. A name without an extension agrees with all. */
function isNameOf(mimeType: Document['mimeType'], fileName: string): boolean {
  const [, ending] = /\.([^./\\]+)$/.exec(fileName) ?? []
  return ending === undefined || endings[mimeType].some((each) => each === ending.toLowerCase())
}
