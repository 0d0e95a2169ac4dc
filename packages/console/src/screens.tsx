import { lazy, type ReactNode } from "react";

type Load = () => Promise<unknown>;

/** A screen is a file of its own, loaded when it is opened, or when a link to it is pointed at. */
const screen = <Props extends object>(load: () => Promise<React.ComponentType<Props>>) =>
  Object.assign(
    lazy(async () => ({ default: await load() })),
    { load: load as Load },
  );

const AskScreen = screen(async () => (await import("./council/ask-screen.tsx")).AskScreen);
const CompareScreen = screen(async () => (await import("./council/compare-screen.tsx")).CompareScreen);
const HistoryScreen = screen(async () => (await import("./council/history-screen.tsx")).HistoryScreen);
const RunScreen = screen(async () => (await import("./council/run/run-screen.tsx")).RunScreen);
const TaskListScreen = screen(
  async () => (await import("./council/tasks/task-list-screen.tsx")).TaskListScreen,
);
const TaskScreen = screen(async () => (await import("./council/tasks/task-screen.tsx")).TaskScreen);
const ToolsScreen = screen(async () => (await import("./tools/tools-screen.tsx")).ToolsScreen);
const CallsScreen = screen(async () => (await import("./tools/calls/calls-screen.tsx")).CallsScreen);
const CallScreen = screen(async () => (await import("./tools/calls/call-screen.tsx")).CallScreen);
const PlansScreen = screen(async () => (await import("./tools/plans/plans-screen.tsx")).PlansScreen);
const PlanScreen = screen(async () => (await import("./tools/plans/plan-screen.tsx")).PlanScreen);
const ProjectScreen = screen(async () => (await import("./tools/project-screen.tsx")).ProjectScreen);
const ServerScreen = screen(async () => (await import("./tools/servers/server-screen.tsx")).ServerScreen);
const ContentScreen = screen(async () => (await import("./tools/servers/content-screen.tsx")).ContentScreen);
const CalibrationScreen = screen(
  async () => (await import("./council/calibration-screen.tsx")).CalibrationScreen,
);
const EvaluateScreen = screen(
  async () => (await import("./council/evaluate/evaluate-screen.tsx")).EvaluateScreen,
);
const EvaluationScreen = screen(
  async () => (await import("./council/evaluate/evaluation-screen.tsx")).EvaluationScreen,
);
const SessionScreen = screen(
  async () => (await import("./council/sessions/session-screen.tsx")).SessionScreen,
);
const FileScreen = screen(async () => (await import("./tools/file/file-screen.tsx")).default);

/** A screen is one entry: the first part of its address, its part of the console, its place in the menu, what it shows. */
export interface Screen {
  readonly name: string;
  readonly part: "council" | "tools" | "plans";
  readonly menu?: string;
  /** The screen of the menu that it belongs to. */
  readonly under?: string;
  /** Loaded when a link to it is pointed at, with and without something behind its name. */
  readonly preload: readonly { readonly load: Load }[];
  readonly show: (path: readonly string[]) => ReactNode;
}

export const SCREENS: readonly Screen[] = [
  { name: "ask", part: "council", menu: "Ask", preload: [AskScreen, RunScreen], show: () => <AskScreen /> },
  {
    name: "runs",
    part: "council",
    menu: "History",
    preload: [HistoryScreen, RunScreen],
    show: ([id]) => (id === undefined ? <HistoryScreen /> : <RunScreen key={id} id={id} />),
  },
  {
    name: "compare",
    part: "council",
    under: "runs",
    preload: [CompareScreen],
    show: ([left, right]) =>
      left === undefined ? <HistoryScreen /> : <CompareScreen left={left} right={right} />,
  },
  {
    name: "tasks",
    part: "council",
    menu: "Tasks",
    preload: [TaskListScreen, TaskScreen],
    show: ([id]) => (id === undefined ? <TaskListScreen /> : <TaskScreen key={id} id={id} />),
  },
  {
    name: "evaluate",
    part: "council",
    menu: "Evaluate",
    preload: [EvaluateScreen, EvaluationScreen],
    show: ([id]) => (id === undefined ? <EvaluateScreen /> : <EvaluationScreen key={id} id={id} />),
  },
  {
    name: "calibration",
    part: "council",
    menu: "Calibration",
    preload: [CalibrationScreen],
    show: () => <CalibrationScreen />,
  },
  {
    name: "sessions",
    part: "council",
    under: "runs",
    preload: [SessionScreen],
    show: ([id]) => (id === undefined ? <HistoryScreen /> : <SessionScreen key={id} id={id} />),
  },
  {
    name: "tools",
    part: "tools",
    menu: "Tools",
    preload: [ToolsScreen],
    show: ([name]) => <ToolsScreen name={name} />,
  },
  {
    name: "calls",
    part: "tools",
    menu: "Calls",
    preload: [CallsScreen, CallScreen],
    show: ([id]) => (id === undefined ? <CallsScreen /> : <CallScreen key={id} id={id} />),
  },
  {
    name: "plans",
    part: "plans",
    menu: "Plans",
    preload: [PlansScreen, PlanScreen],
    show: ([id]) => (id === undefined ? <PlansScreen /> : <PlanScreen key={id} id={id} />),
  },
  { name: "file", part: "tools", menu: "File", preload: [FileScreen], show: () => <FileScreen /> },
  {
    name: "project",
    part: "tools",
    menu: "Variables and servers",
    preload: [ProjectScreen, ServerScreen],
    show: () => <ProjectScreen />,
  },
  {
    name: "servers",
    part: "tools",
    under: "project",
    preload: [ServerScreen],
    show: ([name, ...path]) =>
      name === undefined ? <ProjectScreen /> : <ServerScreen key={name} name={name} path={path} />,
  },
  {
    name: "content",
    part: "tools",
    under: "project",
    preload: [ContentScreen],
    show: (path) => <ContentScreen path={path} />,
  },
];

/** Loads a screen ahead. One that cannot be loaded now is loaded, or fails with a message, when it is opened. */
export function preload(name: string | undefined): void {
  for (const { load } of SCREENS.find((each) => each.name === name)?.preload ?? []) load().catch(() => {});
}
