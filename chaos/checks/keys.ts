import { read } from "../load/client.ts";
import type { History, Violation } from "../load/history.ts";
import type { World } from "../world/world.ts";

/** One task for each key: keys and names are the same here. */
export async function checkKeys({ instances }: World, { tasks }: History): Promise<Violation[]> {
  const counts = new Map<string, number>();
  let cursor: string | null = "";
  while (cursor !== null) {
    const {
      status,
      body,
    }: { status: number; body: { tasks: { name: string }[]; next_cursor: string | null } } = await read(
      instances,
      `/tasks?limit=100${cursor && `&cursor=${cursor}`}`,
    );
    if (status !== 200) return [{ check: "keys", detail: `the list of tasks cannot be read: ${status}` }];
    for (const { name } of body.tasks) counts.set(name, (counts.get(name) ?? 0) + 1);
    cursor = body.next_cursor;
  }
  const violations = [...counts]
    .filter(([, count]) => count > 1)
    .map(([name, count]) => ({ check: "keys", detail: `${count} tasks with the key ${name}` }));
  const strangers = [...counts.keys()].filter((name) => !tasks.some((task) => task.name === name));
  return [
    ...violations,
    ...strangers.map((name) => ({ check: "keys", detail: `no client has started ${name}` })),
  ];
}
