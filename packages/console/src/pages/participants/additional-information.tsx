import { useState } from 'preact/hooks'
import type { operations } from '#types/main-api'
import { reread } from '../../api/query'
import { useRead } from '../../api/read'
import { dataOf, main } from '../../api/services'
import { useCan } from '../../api/session'
import { Act, MoreActs } from '../../ui/act'
import { Button } from '../../ui/button'
import { Card } from '../../ui/card'
import { Field, TextField } from '../../ui/field'
import { Loaded } from '../../ui/states'

type Piece =
  operations['listAdditionalInformationOfParticipant']['responses'][200]['content']['application/json']['data'][number]
type Open = { act: 'set'; of: Piece | null } | { act: 'delete'; of: Piece }

/** Additional information about an institution, maintained by operators. */
export function Information({ id }: { id: string }) {
  const [open, setOpen] = useState<Open | null>(null)
  const canOperate = useCan('operate')
  const information = useRead(['information', id], (signal) =>
    main.GET('/additional-information/participant/{id}', { params: { path: { id } }, signal }),
  )
  return (
    <Card
      title="Additional information"
      aside={
        canOperate ? (
          <Button isSmall icon="plus" onClick={() => setOpen({ act: 'set', of: null })}>
            Add
          </Button>
        ) : null
      }
    >
      <Loaded of={information} lines={2}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="hint">There is no additional information.</p>
          ) : (
            <dl class="rows information">
              {data.map((piece) => (
                <div key={piece.id}>
                  <dt>{piece.key}</dt>
                  <dd class="said">{piece.value}</dd>
                  {canOperate ? (
                    <MoreActs
                      label={`Change ${piece.key}`}
                      look="is-quiet is-small"
                      acts={[
                        ['Change', () => setOpen({ act: 'set', of: piece })],
                        ['Delete', () => setOpen({ act: 'delete', of: piece })],
                      ]}
                    />
                  ) : null}
                </div>
              ))}
            </dl>
          )
        }
      </Loaded>
      {open?.act === 'set' ? <SetInformation id={id} of={open.of} onClose={() => setOpen(null)} /> : null}
      {open?.act === 'delete' ? <DeleteInformation id={id} of={open.of} onClose={() => setOpen(null)} /> : null}
    </Card>
  )
}

const reload = (id: string) => reread(['information', id])

function SetInformation({ id, of, onClose }: { id: string; of: Piece | null; onClose(): void }) {
  return (
    <Act
      title={of ? `Change ${of.key}?` : 'Add information'}
      confirm={of ? 'Change' : 'Add'}
      act={({ text, headers }) => {
        const body = { key: text('key'), value: text('value') }
        return of
          ? dataOf(main.PUT('/admin/additional-information/{id}', { params: { path: { id: of.id } }, body }))
          : dataOf(main.POST('/admin/additional-information', { body: { ...body, participantId: id }, headers }))
      }}
      done={({ key }) => `${key} is saved`}
      onDone={() => reload(id)}
      onClose={onClose}
    >
      <p>The institution sees it, too.</p>
      <Field label="What it is about" name="key" required maxLength={100} defaultValue={of?.key} />
      <TextField label="The information" name="value" rows={4} required maxLength={10_000} defaultValue={of?.value} />
    </Act>
  )
}

function DeleteInformation({ id, of, onClose }: { id: string; of: Piece; onClose(): void }) {
  return (
    <Act
      title={`Delete ${of.key}?`}
      confirm="Delete"
      look="danger"
      act={() => dataOf(main.DELETE('/admin/additional-information/{id}', { params: { path: { id: of.id } } }))}
      done={`${of.key} is deleted`}
      onDone={() => reload(id)}
      onClose={onClose}
    >
      <p>It is deleted for both staff and institution.</p>
    </Act>
  )
}
