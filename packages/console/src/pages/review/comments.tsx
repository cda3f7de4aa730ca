import { useState } from 'preact/hooks'
import { addComment, useComments } from '../../api/review-notes'
import { Actor } from '../../ui/actor'
import { notifyRefusal } from '../../ui/announce'
import { Button } from '../../ui/button'
import { Card } from '../../ui/card'
import { Loaded } from '../../ui/states'
import { Time } from '../../ui/time'

/** What colleagues say to each other about a transaction. Nobody outside sees it. */
export function Comments({ id, mayWrite }: { id: string; mayWrite: boolean }) {
  const comments = useComments(id)
  return (
    <Card title="Comments" aside={<span class="hint">among colleagues</span>}>
      <Loaded of={comments} lines={1}>
        {(list) =>
          list.length === 0 && !mayWrite ? (
            <p class="hint">Nobody has commented on it.</p>
          ) : (
            <ul class="rows comments">
              {list.map((comment) => (
                <li key={comment.id}>
                  <span class="comment-head">
                    <Actor of={{ kind: 'user', id: comment.authorId }} /> <Time at={comment.createdAt} />
                  </span>
                  <p class="said">{comment.text}</p>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {mayWrite ? <NewComment id={id} /> : null}
    </Card>
  )
}

function NewComment({ id }: { id: string }) {
  const [text, setText] = useState('')
  const [isSending, setSending] = useState(false)
  const send = async () => {
    setSending(true)
    await addComment(id, text.trim()).then(() => setText(''), notifyRefusal)
    setSending(false)
  }
  return (
    <form
      class="comment-new"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '' && !isSending) void send()
      }}
    >
      <input
        aria-label="Comment"
        placeholder="Comment for your colleagues"
        maxLength={2000}
        autoComplete="off"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" disabled={isSending || text.trim() === ''}>
        Send
      </Button>
    </form>
  )
}
