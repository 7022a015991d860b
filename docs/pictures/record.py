"""Records a session of a terminal program as an asciicast (asciinema v2).

usage: record.py FILE.cast COMMAND KEY ...   keys as tmux names them; numbers with s, as 2s, are pauses
"""
import json
import subprocess
import sys
import time

COLUMNS, LINES = 100, 30


def tmux(*words):
    return subprocess.run(["tmux", "-L", "sigview-record", *words], check=True, capture_output=True, text=True).stdout


def main(cast, command, *keys):
    tmux("-f", "/dev/null", "new-session", "-d", "-x", str(COLUMNS), "-y", str(LINES), command)
    at, shown, frames = 0.0, None, []
    try:
        time.sleep(2)
        while "\nreading " in tmux("capture-pane", "-p"):
            time.sleep(0.5)
        for key in ("3s", *keys):
            pause = 1.2
            if key.endswith("s") and key[:-1].isdigit():
                pause = float(key[:-1])
            else:
                tmux("send-keys", key)
            time.sleep(1)  # until the picture stands; it lasts for the pause in the recording
            picture = tmux("capture-pane", "-e", "-p").rstrip("\n").replace("\n", "\r\n")
            if picture != shown:
                frames.append((at, "\x1b[H\x1b[2J\x1b[0m" + picture))
                shown = picture
            at += pause
    finally:
        tmux("kill-server")
    frames.append((at, ""))
    with open(cast, "w", encoding="utf-8") as out:
        # A column more than the picture: pictures made of this stand side by side, with characters wider than their column.
        for line in ({"version": 2, "width": COLUMNS + 1, "height": LINES, "title": command}, *([t, "o", text] for t, text in frames)):
            out.write(json.dumps(line) + "\n")


main(*sys.argv[1:])
