import { fileTypeFromBuffer } from 'file-type'
import type { Document } from './documents.model'

/** The files that are taken, and the endings that their names may have. */
const endings = {
  'application/pdf': ['pdf'],
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg'],
} as const satisfies Record<Document['mimeType'], readonly string[]>

const types = Object.keys(endings) as Document['mimeType'][]

/** What a file is, found in its content; undefined for one that is not taken. */
export async function fileTypeOf(content: Uint8Array): Promise<Document['mimeType'] | undefined> {
  const found = await fileTypeFromBuffer(content)
  return types.find((type) => type === found?.mime)
}

/** False for a name whose ending says that the file is something else. A name without an ending says nothing. */
export function isNameOf(mimeType: Document['mimeType'], fileName: string): boolean {
  const [, ending] = /\.([^./\\]+)$/.exec(fileName) ?? []
  return ending === undefined || endings[mimeType].some((each) => each === ending.toLowerCase())
}
