import { apiBase, consoleFetch } from '../../api/http'
import { reread } from '../../api/query'
import { Act, type ActInput } from '../../ui/act'
import { Field } from '../../ui/field'
import { FileField } from './file-field'

const suggestedTypes = ['CERTIFICATE_OF_INCORPORATION', 'LICENCE', 'OWNERSHIP', 'AML_POLICY', 'BANK_LETTER']

/** Uploads a document; the same file for the same purpose again gives the existing document. */
export function UploadDocument({ id, onClose }: { id: string; onClose(): void }) {
  return (
    <Act
      title="Upload a document"
      confirm="Upload"
      act={(input) => upload(id, input)}
      done="The document is stored"
      onDone={() => reread(['documents', id])}
      onClose={onClose}
    >
      <p>A PDF, PNG or JPEG of at most 10 MiB. It is kept permanently: a document cannot be deleted.</p>
      <Field label="What it is" name="type" list="document-types" required pattern=".*\S.*" maxLength={100} />
      <datalist id="document-types">
        {suggestedTypes.map((type) => (
          <option key={type} value={type} />
        ))}
      </datalist>
      <FileField
        label="File"
        name="file"
        accept={['application/pdf', 'image/png', 'image/jpeg']}
        mostBytes={10 * 1024 * 1024}
      />
    </Act>
  )
}

async function upload(id: string, { form, headers }: ActInput): Promise<void> {
  const body = new FormData()
  for (const name of ['type', 'file']) body.set(name, form.get(name) ?? '')
  const url = new URL(`${apiBase}/main/v1/participants/${id}/documents`, location.origin)
  await consoleFetch(new Request(url, { method: 'POST', headers, body }))
}
