// The hamiltree program.
#include "commands.hpp"
#include "program.hpp"

int main(int argc, char** argv) {
  using namespace hamiltree::app;
  return run_program(
      {"hamiltree", "Multibody dynamics in Hamilton's canonical form.",
       "  hamiltree info four_bar.toml\n"
       "  hamiltree simulate four_bar.toml --until 10 --out out/four_bar\n"
       "  hamiltree simulate four_bar.toml --set body.crank.mass=2 --json\n"
       "  hamiltree simulate robot.urdf --until 10 --out out/robot\n"
       "  hamiltree convert robot.urdf --out robot.toml\n"
       "  hamiltree view out/four_bar\n"
       "  hamiltree resume out/four_bar\n"
       "  hamiltree compare four_bar.toml --formulations hdca,dca\n"
       "  hamiltree diff out/four_bar out/reference --tolerance 1e-6\n"
       "  hamiltree sweep study.toml --out out/study\n"
       "  hamiltree distributed chain.toml --step 1e-5 --threads 2\n"
       "  hamiltree linearize crane.toml --at-equilibrium\n"
       "  hamiltree equilibrium crane.toml\n"
       "  hamiltree kinematics arm.toml --reach hand=0.4,0.2,0.3\n"
       "  hamiltree inverse-dynamics arm.toml --joints shoulder,elbow\n"
       "  hamiltree transmission ankle.toml --inputs left,right --outputs pitch,roll\n"
       "  hamiltree generate four_bar.toml -o four_bar.c\n"
       "  hamiltree bench four_bar.toml\n",
       all_commands(),
       "study, chip and the bench beside other engines are commands of hamiltree-lab"},
      argc, argv);
}
