import { useQuery } from '../../api/query'
import { dataOf, main } from '../../api/services'
import { Card } from '../../ui/card'
import { Loaded } from '../../ui/states'
import { StatusHistory } from '../../ui/status-history'
import { toneOf } from './review-moves'

/** The decisions of its reviews, by whom and why. */
export function InstitutionHistory({ id, createdAt }: { id: string; createdAt: string }) {
  const history = useQuery({
    queryKey: ['institution', id, 'history'],
    queryFn: ({ signal }) => dataOf(main.GET('/admin/pfi/{id}/history', { params: { path: { id } }, signal })),
  })
  return (
    <Card title="History">
      <Loaded of={history} lines={3}>
        {(entries) => <StatusHistory entries={entries} createdAt={createdAt} toneOf={toneOf} />}
      </Loaded>
    </Card>
  )
}
