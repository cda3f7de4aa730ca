import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { Kbd } from '../ui/kbd'
import { boundKeys } from '../ui/keys'
import { helpIsOpen } from './help'

const close = () => helpIsOpen.set(false)

/** The keys that are bound on this page, in groups. */
export default function Help() {
  const groups = Map.groupBy(boundKeys().reverse(), ({ group = 'This page' }) => group)
  return (
    <Dialog title="Keyboard" isWide onClose={close}>
      <div class="help">
        {[...groups].map(([group, bindings]) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {[...new Map(bindings.map((binding) => [binding.key, binding.does]))].map(([key, does]) => (
                <div key={key}>
                  <dt>
                    <Kbd keys={key} />
                    <span class="visually-hidden">{key}</span>
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <p class="hint">
          <Kbd keys="Enter" /> opens a row, <Kbd keys="Esc" /> closes what is open.
        </p>
      </div>
      <div class="act-buttons">
        <Button onClick={close}>Close</Button>
      </div>
    </Dialog>
  )
}
